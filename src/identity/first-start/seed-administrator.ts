import { sql } from 'kysely'
import type { Database } from '#kernel/database'
import { UserError } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { Logger } from '#kernel/telemetry'
import { generatePassword } from '../passwords/generate-password.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import { describeUnfitPassword } from '../passwords/password-rules.ts'
import type { IdentitySettings } from '../settings.ts'
import { isUsername, usernameKey } from '../users/username.ts'

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
