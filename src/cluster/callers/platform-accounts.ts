import { Failure, kernelFailure } from '#kernel/errors'
import { anonymousPrincipal, type Principal } from '#kernel/http'
import type { Logger } from '#kernel/telemetry'
import type { Identify } from './callers.ts'
import { type Credential, readCredential } from './credential.ts'
import { openPlatformLine } from './remote-accounts.ts'
import { createDigest, createMemory } from './ttl-cache.ts'

/** The accounts of a platform in another process. */
export interface PlatformAccounts extends AsyncDisposable {
  readonly identify: Identify
}

interface PlatformAccountsOptions {
  readonly url: string
  readonly log: Logger
  /** How long an accepted credential is cached. */
  readonly keepMs?: number
  /** How long a rejected credential is cached: short, because a new key may have been used too early. */
  readonly keepRefusedMs?: number
}

const maxKnown = 10_000
const maxRefused = 1000
const maxPending = 256

/** Requests the account of each credential from the platform and caches it. While the platform is unreachable, only cached callers are admitted. */
export function createPlatformAccounts(options: PlatformAccountsOptions): PlatformAccounts {
  const { url, log, keepMs = 10_000, keepRefusedMs = 3000 } = options
  const platform = openPlatformLine(url)
  const digest = createDigest()
  const known = createMemory<Principal>({ keepMs, capacity: maxKnown })
  // A separate cache, so that a thousand invalid keys evict no valid one.
  const refused = createMemory<Failure>({ keepMs: keepRefusedMs, capacity: maxRefused })
  const pending = new Map<string, Promise<Principal>>()
  let trouble: string | undefined

  async function requestPrincipal(name: string, credential: Credential, address: string): Promise<Principal> {
    try {
      const principal = await platform.whoHas(credential, address)
      known.keep(name, principal)
      logProblem(undefined)
      return principal
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500) logProblem(error)
      else if (error.status === 401) refused.keep(name, error)
      throw error
    } finally {
      pending.delete(name)
    }
  }

  /** Logged when the reason changes, not at every request. */
  function logProblem(error: unknown): void {
    const cause = error instanceof Failure ? error.cause : error
    const reason = cause instanceof Error ? cause.message : undefined
    if (reason === trouble) return
    if (reason === undefined) log.info({ url }, 'platform reachable again')
    else log.warn({ url, reason }, 'platform unreachable, new callers cannot be authenticated')
    trouble = reason
  }

  return {
    async identify({ headers, ip }) {
      const credential = readCredential(headers)
      if (credential === undefined) return anonymousPrincipal
      const name = digest(credential)
      const found = known.recall(name)
      if (found !== undefined) return found
      const refusal = refused.recall(name)
      if (refusal !== undefined) throw refusal
      const running = pending.get(name)
      if (running !== undefined) return await running
      if (pending.size >= maxPending) throw kernelFailure('overloaded', { retryAfterSeconds: 2 })
      const started = requestPrincipal(name, credential, ip)
      pending.set(name, started)
      return await started
    },
    [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose](),
  }
}
