import { createHash } from 'node:crypto'
import type { Database } from '#kernel/database'

/** The models that the authorization server stores. */
export type RecordModel = 'AuthorizationCode' | 'Grant' | 'Interaction' | 'RefreshToken'

interface NewRecord {
  readonly model: RecordModel
  /** The secret that the client or the browser presents. Only its hash is stored. */
  readonly value: string
  readonly payload: object
  readonly grantId: string | null
  readonly userId: string | null
  readonly clientId: string | null
  readonly lifetimeSeconds: number
}

export interface StoredRecord {
  readonly payload: Readonly<Record<string, unknown>>
  readonly grant_id: string | null
  readonly user_id: string | null
  readonly client_id: string | null
  readonly created_at: Date
  readonly expires_at: Date
  readonly consumed: boolean
}

type Consumed = 'consumed' | { readonly replayOf: string | null } | 'unknown'

/**
 * Codes, refresh tokens, grants and interactions. The states of a code or a refresh token:
 *
 * | state | on | next |
 * |---|---|---|
 * | fresh | consumed | consumed; exactly one of several concurrent attempts succeeds |
 * | consumed | consumed again within the grace period, refresh tokens only | consumed; it succeeds |
 * | consumed | consumed again | replay: the caller ends the grant |
 * | any | its grant ends, or it expires | deleted |
 *
 * A consumed code is kept for a day and a consumed refresh token for its lifetime, so that a replay is detected.
 */
export interface Records {
  save(record: NewRecord): Promise<void>
  find(model: RecordModel, value: string): Promise<StoredRecord | undefined>
  consume(model: RecordModel, value: string): Promise<Consumed>
  remove(model: RecordModel, value: string): Promise<void>
  removeExpired(): Promise<number>
}

/** A new refresh token extends its grant to the token's lifetime plus a day, and updates `last_used_at` of the consent. */
const saveStatement = `
  with prolonged as (
    update identity_oauth_records
    set expires_at = greatest(expires_at, now() + ($7::integer + 86400) * interval '1 second')
    where $1::text = 'RefreshToken' and model = 'Grant' and grant_id = $4
  ),
  used as (
    update identity_oauth_records
    set payload = payload || jsonb_build_object('last_used_at', now())
    where $1::text = 'RefreshToken' and model = 'Consent' and user_id = $5 and client_id = $6
  )
  insert into identity_oauth_records as known (model, id, payload, grant_id, user_id, client_id, expires_at)
  values ($1, $2, $3, $4, $5, $6, now() + $7::integer * interval '1 second')
  on conflict (model, id) do update set payload = excluded.payload, expires_at = excluded.expires_at
`

const findStatement = `
  select
    payload, grant_id, user_id, client_id, created_at, expires_at,
    consumed_at is not null as consumed
  from identity_oauth_records
  where model = $1 and id = $2 and expires_at > now()
`

/**
 * Without a grace period the time of consumption is not compared: a concurrent transaction that started earlier and
 * waited for the row would otherwise succeed as well.
 */
const consumeStatement = `
  update identity_oauth_records
  set
    consumed_at = coalesce(consumed_at, now()),
    expires_at = case when model = 'AuthorizationCode' then now() + interval '1 day' else expires_at end
  where model = $1 and id = $2 and expires_at > now()
    and (consumed_at is null or ($3::float8 > 0 and consumed_at > now() - $3 * interval '1 second'))
  returning grant_id
`

/** Skips locked rows: a grant that is revoked, or a user that is deleted, removes several rows in another order. */
const removeExpiredStatement = `
  with removed as (
    delete from identity_oauth_records
    where (model, id) in (
      select model, id from identity_oauth_records where expires_at <= now() limit 5000 for update skip locked
    )
    returning id
  )
  select count(*) as count from removed
`

export function createRecords({
  database,
  graceSeconds,
}: {
  readonly database: Database
  /** The period in which a used refresh token is accepted once more, for two tabs that refresh at the same time. */
  readonly graceSeconds: number
}): Records {
  async function find(model: RecordModel, value: string): Promise<StoredRecord | undefined> {
    const [record] = await database.query<StoredRecord>(findStatement, [model, hashOf(value)])
    return record
  }

  return {
    async save({ model, value, payload, grantId, userId, clientId, lifetimeSeconds }) {
      await database.query(saveStatement, [
        model,
        hashOf(value),
        JSON.stringify(payload),
        grantId,
        userId,
        clientId,
        lifetimeSeconds,
      ])
    },

    find,

    async consume(model, value) {
      const grace = model === 'RefreshToken' ? graceSeconds : 0
      const consumed = await database.query(consumeStatement, [model, hashOf(value), grace])
      if (consumed.length > 0) return 'consumed'
      const record = await find(model, value)
      return record === undefined ? 'unknown' : { replayOf: record.grant_id }
    },

    async remove(model, value) {
      await database.query('delete from identity_oauth_records where model = $1 and id = $2', [
        model,
        hashOf(value),
      ])
    },

    async removeExpired() {
      let total = 0
      for (let removed = Number.POSITIVE_INFINITY; removed > 0; total += removed) {
        const [row] = await database.query<{ count: number }>(removeExpiredStatement)
        removed = row?.count ?? 0
      }
      return total
    },
  }
}

function hashOf(value: string): Buffer {
  return createHash('sha256').update(value).digest()
}
