import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { kernelFailure } from '#kernel/errors'
import { anonymousPrincipal, type CredentialRequest, type Principal } from '#kernel/http'
import { callerHeader } from '../client/route.ts'
import { readCredential } from './credential.ts'
import { createDigest, createMemory } from './ttl-cache.ts'

/** Resolves the caller of a request; throws a Failure for an invalid credential. */
export type Identify = (request: CredentialRequest) => Promise<Principal>

/** Authenticates the callers of the cluster. */
export interface Callers {
  readonly authenticate: Identify
  /** The caller, if known without a request: any caller of an open service, otherwise a cached one. */
  recall(headers: IncomingHttpHeaders): Principal | undefined
  /** Caches a caller who may use models. */
  remember(headers: IncomingHttpHeaders, principal: Principal): void
  /**
   * Authenticates the caller of a request outside of the framework, and caches it if it may use models. Undefined when the framework has to
   * do it. Never rejects, and resolves in time: the framework refuses a caller who is not cached then.
   */
  authenticateDirectly(headers: IncomingHttpHeaders, ip: string): Promise<void> | undefined
}

export interface CallersOptions {
  readonly mustSayWho: boolean
  readonly apiKey: string | undefined
  /** The accounts of the platform; without them only the key is accepted. */
  readonly identify: Identify | undefined
  /** Throws unless the caller may use models. */
  readonly requireAccess: (principal: Principal) => void
  /** How long a caller is cached: a revoked credential keeps working for that long. */
  readonly keepMs?: number
  /** How long `authenticateDirectly` takes at most. */
  readonly maxAuthenticationMs?: number
}

const maxRemembered = 10_000
/** Shorter than the timeout of the platform: the framework then waits for the same response, and reports it. */
const usualMaxAuthenticationMs = 4000

/** The id of the caller with the shared key. */
export const keyHolderId = 'cluster-api-key'

const keyHolder: Principal = {
  ...anonymousPrincipal,
  id: keyHolderId,
  method: 'api_key',
  permissions: new Set(['administer cluster']),
}

/**
 * | credential                               | caller                                                |
 * |------------------------------------------|-------------------------------------------------------|
 * | CLUSTER_API_KEY, as Bearer or X-API-Key  | all permissions                                       |
 * | any other, with a platform               | as the platform authenticates it                      |
 * | any other                                | rejected                                              |
 * | none                                     | anonymous, unless the platform identifies the caller  |
 */
export function createCallers(options: CallersOptions): Callers {
  const { mustSayWho, apiKey, identify, requireAccess, keepMs = 2000 } = options
  const { maxAuthenticationMs = usualMaxAuthenticationMs } = options
  const digest = createDigest()
  const ownKey = new Set(
    apiKey === undefined ? [] : (['bearer', 'key'] as const).map((kind) => digest({ kind, value: apiKey })),
  )
  const known = createMemory<Principal>({ keepMs, capacity: maxRemembered })

  async function authenticateAndKeep(
    request: CredentialRequest,
    ask: Identify,
    digested: string,
  ): Promise<void> {
    try {
      const principal = await ask(request)
      requireAccess(principal)
      known.keep(digested, principal)
    } catch {
      // The framework authenticates the caller again and has the refusal.
    }
  }

  return {
    async authenticate(request) {
      const credential = readCredential(request.headers)
      if (credential !== undefined && ownKey.has(digest(credential))) return keyHolder
      if (identify !== undefined) return await identify(request)
      if (credential === undefined) return anonymousPrincipal
      throw kernelFailure('authentication_required', { message: 'This key is not the one of this cluster.' })
    },
    recall(headers) {
      if (!mustSayWho) return anonymousPrincipal
      const credential = readCredential(headers)
      if (credential === undefined) return undefined
      const name = digest(credential)
      return ownKey.has(name) ? keyHolder : known.recall(name)
    },
    remember(headers, principal) {
      const credential = readCredential(headers)
      // A caller with a cookie is not cached: each request needs its own CSRF check.
      if (credential !== undefined) known.keep(digest(credential), principal)
    },
    authenticateDirectly(headers, ip) {
      const credential = mustSayWho ? readCredential(headers) : undefined
      // Failed passwords are counted, so they are checked once.
      const isToken = credential?.kind === 'bearer' || credential?.kind === 'key'
      if (identify === undefined || credential === undefined || !isToken) return undefined
      const request = { headers, ip, method: 'POST', cookies: {}, routeOptions: { config: {} } }
      const done = new AbortController()
      const authenticated = authenticateAndKeep(request, identify, digest(credential)).finally(() =>
        done.abort(),
      )
      const late = delay(maxAuthenticationMs, undefined, { ref: false, signal: done.signal })
      return Promise.race([authenticated, late.catch(() => {})])
    },
  }
}

const maxNameLength = 256

/** The operator of a change, as the platform names it with its key. */
export function operatorOf({
  principal,
  headers,
}: Pick<FastifyRequest, 'principal' | 'headers'>): string | null {
  const named = headers[callerHeader]
  if (principal.id !== keyHolderId || typeof named !== 'string' || named === '') return principal.id
  return named.slice(0, maxNameLength)
}

/** The account of a caller; undefined for the shared key. */
export function accountOf({ id }: Principal): string | undefined {
  return id === null || id === keyHolderId ? undefined : id
}
