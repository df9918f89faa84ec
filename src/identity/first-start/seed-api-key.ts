import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import { hashApiKey } from '../api-keys/api-key-value.ts'

const name = 'TUTTI_API_KEY'

/**
 * Replaces the previous key of the environment. The key belongs to the oldest enabled administrator. A revoked key stays
 * revoked.
 */
const statement = `
  with owner as (
    select account.id
    from identity_users as account
    join identity_user_roles as held on held.user_id = account.id
    join identity_roles as role on role.name = held.role and role.all_permissions
    where account.disabled_at is null
    order by account.created_at
    limit 1
  ),
  replaced as (
    delete from identity_api_keys where seeded and key_hash <> $1
  ),
  seeded as (
    insert into identity_api_keys (user_id, name, prefix, key_hash, seeded)
    select id, $2, $3, $1, true from owner
    on conflict (key_hash) do nothing
  )
  select
    exists (select from owner) as has_owner,
    exists (select from identity_api_keys where key_hash = $1 and revoked_at is not null) as revoked
`

export interface SeedApiKeyOptions {
  readonly database: Database
  readonly apiKey: string | undefined
  readonly log: Logger
}

/** Stores TUTTI_API_KEY as an API key with full access. */
export async function seedApiKey({ database, apiKey, log }: SeedApiKeyOptions): Promise<void> {
  if (apiKey === undefined) return
  // An operator chose this key, so its prefix reveals more than that of a random key and is kept shorter.
  const shown = apiKey.slice(0, 4)
  const [row] = await database.query<{ has_owner: boolean; revoked: boolean }>(statement, [
    hashApiKey(apiKey),
    name,
    shown,
  ])
  if (row?.has_owner !== true) {
    log.warn('TUTTI_API_KEY is ignored: there is no enabled administrator to own it')
  } else if (row.revoked) {
    log.warn('TUTTI_API_KEY is ignored: the key was revoked; set a different one')
  }
}
