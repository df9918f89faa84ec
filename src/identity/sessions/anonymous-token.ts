import { createHmac } from 'node:crypto'
import type { Database } from '#kernel/database'
import { isSameToken } from './csrf-token.ts'

/**
 * A token for whoever has no session. Other sites can neither read it nor send it along, since a header of its own makes
 * a browser ask first; so it needs no session to hold it. Every replica makes and knows the same ones.
 */
export interface AnonymousTokens {
  make(): Promise<string>
  holds(token: unknown): Promise<boolean>
}

const keptMs = 24 * 3_600_000

export function createAnonymousTokens({
  database,
  now = Date.now,
}: {
  readonly database: Database
  readonly now?: () => number
}): AnonymousTokens {
  let secret: Promise<Buffer> | undefined

  async function readSecret(): Promise<Buffer> {
    const [row] = await database.query<{ value: Buffer }>(
      `select value from identity_secrets where name = 'anonymous_csrf'`,
    )
    if (row === undefined) throw new Error('the secret of anonymous tokens is missing')
    return row.value
  }

  async function tokenOf(time: string): Promise<string> {
    secret ??= readSecret().catch((error: unknown) => {
      secret = undefined
      throw error
    })
    const mark = createHmac('sha256', await secret)
      .update(`anonymous ${time}`)
      .digest('base64url')
    return `${time}.${mark}`
  }

  return {
    make: () => tokenOf(now().toString(36)),
    async holds(token) {
      if (typeof token !== 'string') return false
      const [time = ''] = token.split('.', 1)
      const ageMs = now() - Number.parseInt(time, 36)
      // Replicas' clocks may differ a little.
      return ageMs > -60_000 && ageMs < keptMs && isSameToken(await tokenOf(time), token)
    },
  }
}
