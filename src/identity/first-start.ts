import { sql } from 'kysely'
import type { Database } from '#kernel/database'
import { UserError } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { Logger } from '#kernel/telemetry'
import { hashApiKey } from './api-keys/api-keys.ts'
import type { PasswordHasher } from './passwords/password-hasher.ts'
import { describeUnfitPassword, generatePassword } from './passwords/password-rules.ts'
import type { IdentitySettings } from './settings.ts'
import { isUsername, usernameKey } from './users/user-rules.ts'

/** The account that was just created. A generated password is returned here and never again. */
export interface SeededAdministrator {
  readonly username: string
  readonly generatedPassword: string | undefined
}

export interface SeedAdministratorOptions {
  readonly database: Database
  readonly events: Pick<Events, 'appendWithin'>
  readonly hasher: PasswordHasher
  readonly settings: IdentitySettings
  readonly log: Logger
}

/** Creates the first account when there is none. When replicas start together, exactly one of them creates it. */
export async function seedAdministrator({
  database,
  events,
  hasher,
  settings,
  log,
}: SeedAdministratorOptions): Promise<SeededAdministrator | undefined> {
  checkSettings(settings)
  const [{ empty } = { empty: false }] = await database.query<{ empty: boolean }>(
    'select not exists (select from identity_users) as empty',
  )
  if (!empty) return undefined

  const username = settings.adminUsername
  const generatedPassword = settings.adminPassword === undefined ? generatePassword() : undefined
  const passwordHash = await hasher.hash(settings.adminPassword ?? generatedPassword ?? '')
  const created = await database.transaction(async (transaction) => {
    // The lock lasts until the commit, so that no other replica finds the table empty meanwhile.
    await sql`lock table identity_users in share row exclusive mode`.execute(transaction)
    const { rows } = await sql<{ id: string }>`
      with created as (
        insert into identity_users (username, username_key, display_name, password_hash, tier)
        select ${username}, ${usernameKey(username)}, ${username}, ${passwordHash}, 'custom'
        where not exists (select from identity_users)
        returning id
      ),
      granted as (
        insert into identity_user_roles (user_id, role) select id, 'administrator' from created
      )
      select id from created
    `.execute(transaction)
    const [account] = rows
    if (account === undefined) return false
    await events.appendWithin(transaction, {
      type: 'identity.administrator_created',
      subject: account.id,
      account: account.id,
      data: { username },
    })
    return true
  })
  if (!created) return undefined
  log.info({ username }, 'created the first account')
  return { username, generatedPassword }
}

function checkSettings({ adminUsername, adminPassword }: IdentitySettings): void {
  if (!isUsername(adminUsername)) {
    throw new UserError(
      `TUTTI_ADMIN_USERNAME must be 1 to 64 letters, digits, spaces or . _ @ + ' -, not "${adminUsername}"`,
    )
  }
  const unfit = adminPassword === undefined ? undefined : describeUnfitPassword(adminPassword)
  if (unfit !== undefined) throw new UserError(`TUTTI_ADMIN_PASSWORD ${unfit}`)
}

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

interface SeedApiKeyOptions {
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
