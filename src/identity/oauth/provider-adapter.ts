import type { Adapter, AdapterPayload, errors as ProviderErrors } from 'oidc-provider'
import { DatabaseError } from 'pg'
import type { Origin } from '../security-events.ts'
import { refreshTokenSeconds } from '../tokens/lifetimes.ts'
import type { CachedClient, ClientCache } from './client-cache.ts'
import type { EndReplayedGrant } from './end-replayed-grant.ts'
import type { RecordModel, Records, StoredRecord } from './records.ts'
import { isPrivateUse } from './redirect-uris.ts'

export interface ProviderAdapterOptions {
  readonly records: Records
  readonly clients: ClientCache
  readonly endReplayedGrant: EndReplayedGrant
  readonly errors: typeof ProviderErrors
  /** The origin of the current request. */
  readonly currentOrigin: () => Origin
}

const models: ReadonlySet<string> = new Set<RecordModel>([
  'AuthorizationCode',
  'Grant',
  'Interaction',
  'RefreshToken',
])

/** Stores the provider's models in our tables. */
export function createProviderAdapter(options: ProviderAdapterOptions): (name: string) => Adapter {
  return (name) => {
    if (name === 'Client') return adapterOfClients(options)
    return isRecordModel(name) ? adapterOfRecords(name, options) : adapterOfNothing(name)
  }
}

function isRecordModel(name: string): name is RecordModel {
  return models.has(name)
}

function adapterOfRecords(
  model: RecordModel,
  { records, endReplayedGrant, errors, currentOrigin }: ProviderAdapterOptions,
): Adapter {
  return {
    ...adapterOfNothing(model),
    async upsert(id, payload, expiresIn) {
      // The id is the secret itself (code or token): only its hash is stored, and `find` puts it back.
      const { jti: _, returnTo: __, ...stored } = payload
      try {
        await records.save({
          model,
          value: id,
          payload: stored,
          grantId: model === 'Grant' ? id : (payload.grantId ?? null),
          userId: payload.accountId ?? payload.session?.accountId ?? null,
          clientId: payload.clientId ?? clientOfRequest(payload),
          // A grant lives as long as its refresh tokens.
          lifetimeSeconds: model === 'Grant' ? refreshTokenSeconds : (expiresIn ?? 0),
        })
      } catch (error) {
        // Foreign key violation: the client or the account was deleted during the request.
        if (error instanceof DatabaseError && error.code === '23503') throw new errors.InvalidGrant('gone')
        throw error
      }
    },
    async find(id) {
      const record = await records.find(model, id)
      return record === undefined ? undefined : payloadOf(model, id, record)
    },
    async consume(id) {
      const outcome = await records.consume(model, id)
      if (outcome === 'consumed') return
      const replayed = model === 'AuthorizationCode' || model === 'RefreshToken' ? model : undefined
      if (outcome !== 'unknown' && outcome.replayOf !== null && replayed !== undefined) {
        await endReplayedGrant({ grantId: outcome.replayOf, replayed, origin: currentOrigin() })
      }
      throw new errors.InvalidGrant('already used')
    },
    destroy: (id) => records.remove(model, id),
  }
}

/**
 * `consumed` is hidden from the provider, so that it runs its other checks and then calls `consume`, where a single
 * statement decides about a replay. A consumed code must not look expired for this.
 */
function payloadOf(model: RecordModel, id: string, record: StoredRecord): AdapterPayload {
  const replayable = model === 'AuthorizationCode' && record.consumed
  return {
    ...record.payload,
    jti: id,
    ...(replayable && { exp: Math.floor(record.expires_at.getTime() / 1000) }),
  }
}

function clientOfRequest({ params }: AdapterPayload): string | null {
  const clientId = params?.['client_id']
  return typeof clientId === 'string' ? clientId : null
}

function adapterOfClients({ clients }: ProviderAdapterOptions): Adapter {
  return {
    ...adapterOfNothing('Client'),
    async find(id) {
      const client = await clients.find(id)
      return client === undefined ? undefined : metadataOf(client)
    },
  }
}

function metadataOf(client: CachedClient): AdapterPayload {
  const redirects = client.grantTypes.includes('authorization_code')
  return {
    client_id: client.clientId,
    redirect_uris: client.redirectUris,
    grant_types: client.grantTypes,
    response_types: redirects ? ['code'] : [],
    application_type: client.redirectUris.some(isPrivateUse) ? 'native' : 'web',
    ...(client.secretHash === null
      ? { token_endpoint_auth_method: 'none' }
      : {
          token_endpoint_auth_method: 'client_secret_post',
          // Only the hash is stored; `isSecretOf` in provider.ts compares hashes.
          client_secret: client.secretHash.toString('hex'),
        }),
  }
}

/** The platform has its own sessions, and access tokens are self-contained: other models are never stored. */
function adapterOfNothing(name: string): Adapter {
  const refuse = async () => {
    throw new Error(`${name} is not stored`)
  }
  return {
    upsert: refuse,
    find: async () => undefined,
    findByUserCode: async () => undefined,
    findByUid: async () => undefined,
    consume: refuse,
    destroy: refuse,
    revokeByGrantId: refuse,
  }
}
