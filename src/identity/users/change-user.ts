import { sql, type Transaction } from 'kysely'
import { type Database, isTaken, type NoTables } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import type { AskedBy } from '../asked-by.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import { lockGivenRoles, storeRoles } from '../roles/given-roles.ts'
import type { SecurityEvent, SecurityEvents } from '../security-events.ts'
import type { EndSignIns } from '../tokens/end-sign-ins.ts'
import { lockAdministrators, requireAnotherAdministrator } from './administrators.ts'
import { lockUser } from './lock-user.ts'
import { requireFitPassword, requireUsername, takenUsername } from './user-rules.ts'
import { usernameKey } from './username.ts'

/** What is absent stays as it is. */
export interface UserChanges {
  readonly username?: string | undefined
  readonly email?: string | null | undefined
  readonly displayName?: string | undefined
  readonly roles?: readonly string[] | undefined
  readonly tier?: string | undefined
  readonly password?: string | undefined
  readonly disabled?: boolean | undefined
}

export interface ChangeUserOptions {
  readonly database: Database
  readonly hasher: PasswordHasher
  readonly endSignIns: EndSignIns
  readonly securityEvents: SecurityEvents
  /** Told after a commit that takes something away. */
  readonly changed: () => void
}

type ChangeUser = (id: string, changes: UserChanges, asked: AskedBy) => Promise<boolean>

/** Changes an account. Answers whether there is one. */
export function createChangeUser(options: ChangeUserOptions): ChangeUser {
  const { database, hasher, endSignIns, securityEvents, changed } = options

  async function changeWithin(
    transaction: Transaction<NoTables>,
    id: string,
    given: UserChanges & { readonly passwordHash: string | null },
    asked: AskedBy,
  ): Promise<(() => void) | undefined> {
    if (given.roles !== undefined || given.disabled === true) await lockAdministrators(transaction)
    const roles = given.roles === undefined ? undefined : await lockGivenRoles(transaction, given.roles)
    const before = await lockUser(transaction, id)
    if (before === undefined) return undefined

    const after = {
      username: given.username ?? before.username,
      email: given.email === undefined ? before.email : given.email,
      display_name: given.displayName ?? before.display_name,
      tier: given.tier ?? before.tier,
      disabled: given.disabled ?? before.disabled,
      roles: roles?.names ?? before.roles,
    }
    const wasAdministrator = before.all_permissions && !before.disabled
    const isAdministrator = (roles?.administrator ?? before.all_permissions) && !after.disabled
    if (wasAdministrator && !isAdministrator) await requireAnotherAdministrator(transaction, id)

    const { passwordHash } = given
    const fields = (Object.keys(after) as (keyof typeof after)[]).filter((name) =>
      differs(after[name], before[name]),
    )
    if (fields.length === 0 && passwordHash === null) return () => {}
    await sql`
      update identity_users set
        username = ${after.username},
        username_key = ${usernameKey(after.username)},
        email = ${after.email},
        display_name = ${after.display_name},
        tier = ${after.tier},
        password_hash = coalesce(${passwordHash}, password_hash),
        disabled_at = case when ${after.disabled} then coalesce(disabled_at, now()) end
      where id = ${id}
    `.execute(transaction)
    if (fields.includes('roles')) await storeRoles(transaction, id, after.roles)

    const shutOut = passwordHash !== null || (after.disabled && !before.disabled)
    const ended = shutOut ? await endSignIns.allWithin(transaction, { userId: id, consents: true }) : () => {}
    const event = { subject: id, account: id, ...asked }
    if (fields.length > 0) {
      const data = describeChange(fields, after)
      await securityEvents.appendWithin(transaction, { ...event, type: 'identity.account_changed', data })
    }
    if (passwordHash !== null) {
      await securityEvents.appendWithin(transaction, { ...event, type: 'identity.password_changed' })
    }
    return ended
  }

  return async (id, changes, asked) => {
    const { username, password, disabled } = changes
    if (username !== undefined) requireUsername(username)
    if (password !== undefined) requireFitPassword(password)
    if (disabled === true && id === asked.by) {
      throw kernelFailure('conflict', { message: 'You cannot disable your own account.' })
    }
    const given = { ...changes, passwordHash: password === undefined ? null : await hasher.hash(password) }
    try {
      const done = await database.transaction((transaction) => changeWithin(transaction, id, given, asked))
      done?.()
      changed()
      return done !== undefined
    } catch (error) {
      throw isTaken(error) && username !== undefined ? takenUsername(username) : error
    }
  }
}

function differs(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return new Set(one).symmetricDifference(new Set(other)).size > 0
  return one !== other
}

/** Names what changed, and says how where that decides what the account can do. What people are called stays out. */
function describeChange(
  fields: readonly string[],
  after: {
    readonly username: string
    readonly roles: readonly string[]
    readonly tier: string
    readonly disabled: boolean
  },
): NonNullable<SecurityEvent['data']> {
  const { username, roles, tier, disabled } = after
  const told = Object.entries({ username, roles, tier, disabled }).filter(([name]) => fields.includes(name))
  return { changed: fields, ...Object.fromEntries(told) }
}
