import { createHmac, timingSafeEqual } from 'node:crypto'

/** Derives the CSRF token of a session. It needs the cookie and the stored secret, so neither alone reveals it. */
export function deriveCsrfToken(csrfSecret: Buffer, cookieValue: string): string {
  return createHmac('sha256', csrfSecret).update(cookieValue).digest('base64url')
}

export function isSameToken(expected: string, given: unknown): boolean {
  if (typeof given !== 'string') return false
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
