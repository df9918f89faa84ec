import { createHmac, randomBytes } from 'node:crypto'
import type { BasicCredentials } from './basic-credentials.ts'

/** Passwords this process has lately found right, so that a client sending one with every request is not slowed by each. */
export interface VerifiedPasswords {
  /** Whether the password was found right for exactly this stored hash. */
  has(credentials: BasicCredentials, passwordHash: string | null): boolean
  remember(credentials: BasicCredentials, passwordHash: string | null): void
  /** Runs one check for all callers who ask for the same thing from the same address at the same time. */
  share<Result>(credentials: BasicCredentials, ip: string, check: () => Promise<Result>): Promise<Result>
}

export interface VerifiedPasswordsOptions {
  readonly keepMs?: number
  readonly capacity?: number
  readonly now?: () => number
}

interface Entry {
  readonly passwordHash: string
  readonly until: number
}

export function createVerifiedPasswords({
  keepMs = 60_000,
  capacity = 1000,
  now = Date.now,
}: VerifiedPasswordsOptions = {}): VerifiedPasswords {
  // A key that never leaves the process: what the map holds tells nothing about a password.
  const secret = randomBytes(32)
  const entries = new Map<string, Entry>()
  const pending = new Map<string, Promise<unknown>>()

  function digest(...parts: readonly string[]): string {
    return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64')
  }

  return {
    has({ username, password }, passwordHash) {
      const key = digest(username, password)
      const entry = entries.get(key)
      if (entry === undefined) return false
      if (entry.until > now() && entry.passwordHash === passwordHash) return true
      entries.delete(key)
      return false
    },

    remember({ username, password }, passwordHash) {
      if (passwordHash === null) return
      const key = digest(username, password)
      entries.delete(key)
      entries.set(key, { passwordHash, until: now() + keepMs })
      const [oldest] = entries.keys()
      if (entries.size > capacity && oldest !== undefined) entries.delete(oldest)
    },

    async share<Result>({ username, password }: BasicCredentials, ip: string, check: () => Promise<Result>) {
      const key = digest(username, password, ip)
      const running = pending.get(key) as Promise<Result> | undefined
      if (running !== undefined) return await running
      const started = check().finally(() => pending.delete(key))
      pending.set(key, started)
      return await started
    },
  }
}
