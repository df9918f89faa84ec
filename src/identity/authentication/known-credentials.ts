import type { Principal } from '#kernel/http'

/** A credential that was found to hold, and until when it does. */
export interface KnownCredential {
  readonly principal: Principal
  readonly expiresAt: Date | null
}

/**
 * Who the credentials of the last requests belong to, so that a request needs no database to be known. Whatever changes
 * an account, a role or a credential makes it forget everything; what is missed is forgotten after `keepMs`.
 */
export interface KnownCredentials {
  find(key: string, load: () => Promise<KnownCredential | undefined>): Promise<KnownCredential | undefined>
  forgetAll(): void
}

export interface KnownCredentialsOptions {
  readonly keepMs?: number
  readonly capacity?: number
  readonly now?: () => number
}

export function createKnownCredentials({
  keepMs = 10_000,
  capacity = 10_000,
  now = Date.now,
}: KnownCredentialsOptions = {}): KnownCredentials {
  const entries = new Map<string, { readonly known: KnownCredential; readonly until: number }>()
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
