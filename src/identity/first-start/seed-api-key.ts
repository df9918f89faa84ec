import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import { hashApiKey } from '../api-keys/api-key-value.ts'

const name = 'TUTTI_API_KEY'

/**
 * Puts the key of the environment in the place of the one that stood there before. It belongs to the first administrator
 * there is. One that somebody revoked stays revoked.
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

/** Makes TUTTI_API_KEY a key with full access. */
export async function seedApiKey({ database, apiKey, log }: SeedApiKeyOptions): Promise<void> {
  if (apiKey === undefined) return
  // Somebody chose it, so less of it may be shown than of a key by chance.
  const shown = apiKey.slice(0, 4)
  const [row] = await database.query<{ has_owner: boolean; revoked: boolean }>(statement, [
    hashApiKey(apiKey),
    name,
    shown,
  ])
  if (row?.has_owner !== true) {
    log.warn('TUTTI_API_KEY is not in force: there is no administrator it could belong to')
  } else if (row.revoked) {
    log.warn('TUTTI_API_KEY is not in force: the key was revoked; set another one')
  }
}
