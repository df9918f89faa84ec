import { createHash } from 'node:crypto'
import type { Database } from '#kernel/database'

/** What the authorization server remembers, by kind. */
export type RecordModel = 'AuthorizationCode' | 'Grant' | 'Interaction' | 'RefreshToken'

interface NewRecord {
  readonly model: RecordModel
  /** What the client or the browser holds. Only its hash is stored. */
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
 * Codes, refresh tokens, grants and interactions. A code or a refresh token:
 *
 * | state | on | next |
 * |---|---|---|
 * | fresh | consumed | consumed; of several who try at once, one succeeds |
 * | consumed | consumed again within the grace, refresh tokens only | consumed; it succeeds |
 * | consumed | consumed again | replay: the caller ends the grant |
 * | any | its grant ends, its time is over | gone |
 *
 * A consumed code is kept for a day and a consumed refresh token for its lifetime, so that a replay is known as one.
 */
export interface Records {
  save(record: NewRecord): Promise<void>
  find(model: RecordModel, value: string): Promise<StoredRecord | undefined>
  consume(model: RecordModel, value: string): Promise<Consumed>
  remove(model: RecordModel, value: string): Promise<void>
  removeExpired(): Promise<number>
}

/** With each refresh token its grant lives on, for the token's time and a day more, and the consent was used. */
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

/** Without a grace nobody wins by starting earlier and waiting for the row: a time is then not looked at. */
const consumeStatement = `
  update identity_oauth_records
  set
    consumed_at = coalesce(consumed_at, now()),
    expires_at = case when model = 'AuthorizationCode' then now() + interval '1 day' else expires_at end
  where model = $1 and id = $2 and expires_at > now()
    and (consumed_at is null or ($3::float8 > 0 and consumed_at > now() - $3 * interval '1 second'))
  returning grant_id
`

const removeExpiredStatement = `
  with removed as (
    delete from identity_oauth_records
    where (model, id) in (select model, id from identity_oauth_records where expires_at <= now() limit 5000)
    returning id
  )
  select count(*) as count from removed
`

export function createRecords({
  database,
  graceSeconds,
}: {
  readonly database: Database
  /** In which a refresh token may be used once more, for two tabs that refresh together. */
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
