import type { Principal } from '#kernel/http'

/** A credential that was found to hold, and until when it does. */
export interface KnownCredential {
  readonly principal: Principal
  readonly expiresAt: Date | null
}

/**
 * What was read of accounts for the last requests, such as whom a credential belongs to, so that the next ones need no database.
 * Whatever changes an account, a role or a credential makes it forget everything; what is missed is forgotten after `keepMs`.
 */
export interface Known<Value> {
  find(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined>
  forgetAll(): void
}

export type KnownCredentials = Known<KnownCredential>

export interface KnownOptions {
  readonly keepMs?: number
  readonly capacity?: number
  readonly now?: () => number
}

export function createKnown<Value>({
  keepMs = 10_000,
  capacity = 10_000,
  now = Date.now,
}: KnownOptions = {}): Known<Value> {
  const entries = new Map<string, { readonly known: Value; readonly until: number }>()
  let generation = 0

  return {
    async find(key, load) {
      const entry = entries.get(key)
      if (entry !== undefined && entry.until > now()) return entry.known
      const begun = generation
      const known = await load()
      entries.delete(key)
      // What was read before a change must not outlive it.
      if (known === undefined || begun !== generation) return known
      entries.set(key, { known, until: now() + keepMs })
      const [oldest] = entries.keys()
      if (entries.size > capacity && oldest !== undefined) entries.delete(oldest)
      return known
    },

    forgetAll() {
      generation += 1
      entries.clear()
    },
  }
}
