import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Database } from '#kernel/database'

/**
 * CSRF tokens for browsers without a session. Other sites can neither read such a token nor send it, because a custom
 * header triggers a CORS preflight; so the token needs no session. Every replica derives it from the same secret.
 */
export interface AnonymousCsrfTokens {
  create(): Promise<string>
  isValid(token: unknown): Promise<boolean>
}

const lifetimeMs = 24 * 3_600_000

export function createAnonymousCsrfTokens({
  database,
  now = Date.now,
}: {
  readonly database: Database
  readonly now?: () => number
}): AnonymousCsrfTokens {
  let secret: Promise<Buffer> | undefined

  async function readSecret(): Promise<Buffer> {
    const [row] = await database.query<{ value: Buffer }>(
      `select value from identity_secrets where name = 'anonymous_csrf'`,
    )
    if (row === undefined)
      throw new Error('the secret of anonymous CSRF tokens is missing in identity_secrets')
    return row.value
  }

  async function tokenOf(time: string): Promise<string> {
    secret ??= readSecret().catch((error: unknown) => {
      secret = undefined
      throw error
    })
    const signature = createHmac('sha256', await secret)
      .update(`anonymous ${time}`)
      .digest('base64url')
    return `${time}.${signature}`
  }

  return {
    create: () => tokenOf(now().toString(36)),
    async isValid(token) {
      if (typeof token !== 'string') return false
      const [time = ''] = token.split('.', 1)
      const ageMs = now() - Number.parseInt(time, 36)
      // Tolerates a minute of clock skew between replicas.
      return ageMs > -60_000 && ageMs < lifetimeMs && isSameToken(await tokenOf(time), token)
    },
  }
}

/** Derives the CSRF token of a session. It needs the cookie and the stored secret, so neither alone reveals it. */
export function deriveCsrfToken(csrfSecret: Buffer, cookieValue: string): string {
  return createHmac('sha256', csrfSecret).update(cookieValue).digest('base64url')
}

export function isSameToken(expected: string, given: unknown): boolean {
  if (typeof given !== 'string') return false
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
