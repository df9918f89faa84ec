import type { Principal } from '#kernel/http'

/** The principal of a valid credential, and the expiry of the credential. */
export interface ResolvedCredential {
  readonly principal: Principal
  readonly expiresAt: Date | null
}

/**
 * A TTL cache of data read from the account tables, such as the principal of a credential, so that most requests need no
 * database query. Every change of an account, role or credential clears it; a missed notification is bounded by `keepMs`.
 */
export interface AccountCache<Value> {
  find(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined>
  clear(): void
}

export type CredentialCache = AccountCache<ResolvedCredential>

export interface AccountCacheOptions {
  readonly keepMs?: number
  readonly capacity?: number
  readonly now?: () => number
}

export function createAccountCache<Value>({
  keepMs = 10_000,
  capacity = 10_000,
  now = Date.now,
}: AccountCacheOptions = {}): AccountCache<Value> {
  const entries = new Map<string, { readonly value: Value; readonly until: number }>()
  let generation = 0

  return {
    async find(key, load) {
      const entry = entries.get(key)
      if (entry !== undefined && entry.until > now()) return entry.value
      const startedAt = generation
      const value = await load()
      entries.delete(key)
      // A value that was read before a change must not be cached after it.
      if (value === undefined || startedAt !== generation) return value
      entries.set(key, { value, until: now() + keepMs })
      const [oldest] = entries.keys()
      if (entries.size > capacity && oldest !== undefined) entries.delete(oldest)
      return value
    },

    clear() {
      generation += 1
      entries.clear()
    },
  }
}
