import { createHmac, timingSafeEqual } from 'node:crypto'

/** The token of a session: it takes both the cookie and what the database keeps to make one. */
export function makeCsrfToken(csrfSecret: Buffer, cookieValue: string): string {
  return createHmac('sha256', csrfSecret).update(cookieValue).digest('base64url')
}

export function isSameToken(expected: string, given: unknown): boolean {
  if (typeof given !== 'string') return false
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
