import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { kernelFailure } from '#kernel/errors'
import { anonymousPrincipal, type Principal } from '#kernel/http'
import { readCredential } from './credential.ts'
import { createDigest, createMemory } from './ttl-cache.ts'

/** Resolves the caller of a request; throws a Failure for an invalid credential. */
export type Identify = (request: FastifyRequest) => Promise<Principal>

/** Authenticates the callers of the cluster. */
export interface Callers {
  readonly authenticate: Identify
  /** The caller, if known without a request: any caller of an open service, otherwise a cached one. */
  recall(headers: IncomingHttpHeaders): Principal | undefined
  /** Caches a caller who may use models. */
  remember(headers: IncomingHttpHeaders, principal: Principal): void
}

export interface CallersOptions {
  readonly mustSayWho: boolean
  readonly apiKey: string | undefined
  /** The accounts of the platform; without them only the key is accepted. */
  readonly identify: Identify | undefined
  /** How long a caller is cached: a revoked credential keeps working for that long. */
  readonly keepMs?: number
}

const maxRemembered = 10_000

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
export function createCallers({ mustSayWho, apiKey, identify, keepMs = 2000 }: CallersOptions): Callers {
  const digest = createDigest()
  const ownKey = new Set(
    apiKey === undefined ? [] : (['bearer', 'key'] as const).map((kind) => digest({ kind, value: apiKey })),
  )
  const known = createMemory<Principal>({ keepMs, capacity: maxRemembered })

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
  }
}

/** The account of a caller; undefined for the shared key. */
export function accountOf({ id }: Principal): string | undefined {
  return id === null || id === keyHolderId ? undefined : id
}
