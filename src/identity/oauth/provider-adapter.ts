import type { Adapter, AdapterPayload, errors as ProviderErrors } from 'oidc-provider'
import { DatabaseError } from 'pg'
import type { Origin } from '../security-events.ts'
import { refreshTokenSeconds } from '../tokens/lifetimes.ts'
import type { EndReplayedGrant } from './end-replayed-grant.ts'
import type { KnownClient, KnownClients } from './known-clients.ts'
import type { RecordModel, Records, StoredRecord } from './records.ts'
import { isPrivateUse } from './redirect-uris.ts'

export interface ProviderAdapterOptions {
  readonly records: Records
  readonly clients: KnownClients
  readonly endReplayedGrant: EndReplayedGrant
  readonly errors: typeof ProviderErrors
  /** Where the request that is being answered came from. */
  readonly currentOrigin: () => Origin
}

const models: ReadonlySet<string> = new Set<RecordModel>([
  'AuthorizationCode',
  'Grant',
  'Interaction',
  'RefreshToken',
])

/** Gives the provider our tables as its memory. */
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
      // The id is what its holder proves itself with; it is put back when it is found by it.
      const { jti: _, returnTo: __, ...stored } = payload
      try {
        await records.save({
          model,
          value: id,
          payload: stored,
          grantId: model === 'Grant' ? id : (payload.grantId ?? null),
          userId: payload.accountId ?? payload.session?.accountId ?? null,
          clientId: payload.clientId ?? clientOfRequest(payload),
          // A grant lives on with its refresh tokens.
          lifetimeSeconds: model === 'Grant' ? refreshTokenSeconds : (expiresIn ?? 0),
        })
      } catch (error) {
        // The client or the account was deleted while this was on its way.
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
 * The provider is not told that a code or a refresh token was consumed: it goes on to consume it again, after its other
 * checks, and there one statement decides. For that a consumed code must not look expired.
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

function metadataOf(client: KnownClient): AdapterPayload {
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
          // Only its hash is known; whoever compares hashes first.
          client_secret: client.secretHash.toString('hex'),
        }),
  }
}

/** Sessions are ours, access tokens prove themselves, and nothing else is ever stored. */
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
