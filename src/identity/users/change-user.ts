import { CompiledQuery, sql, type Transaction } from 'kysely'
import { type Database, isUniqueViolation, type NoTables } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import type { Actor } from '../actor.ts'
import { invalidField } from '../errors.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import type { SecurityEvent, SecurityEvents } from '../security-events.ts'
import type { EndSignIns } from '../tokens/end-sign-ins.ts'
import { findUserStatement, type UserRow } from './user.ts'
import { requireFitPassword, requireUsername, takenUsername, usernameKey } from './user-rules.ts'

/** Absent fields stay unchanged. */
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
  /** Called after a commit that revokes access, to clear the caches of this process. */
  readonly changed: () => void
}

type ChangeUser = (id: string, changes: UserChanges, actor: Actor) => Promise<boolean>

/** Returns a function that changes an account; its result is false when there is no such account. */
export function createChangeUser(options: ChangeUserOptions): ChangeUser {
  const { database, hasher, endSignIns, securityEvents, changed } = options

  async function changeWithin(
    transaction: Transaction<NoTables>,
    id: string,
    given: UserChanges & { readonly passwordHash: string | null },
    actor: Actor,
  ): Promise<(() => void) | undefined> {
    if (given.roles !== undefined || given.disabled === true) await lockAdministrators(transaction)
    const roles = given.roles === undefined ? undefined : await lockAssignedRoles(transaction, given.roles)
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
    if (fields.includes('roles')) await replaceUserRoles(transaction, id, after.roles)

    const endsSignIns = passwordHash !== null || (after.disabled && !before.disabled)
    const ended = endsSignIns
      ? await endSignIns.allWithin(transaction, { userId: id, consents: true })
      : () => {}
    const event = { subject: id, account: id, ...actor }
    if (fields.length > 0) {
      const data = describeChange(fields, after)
      await securityEvents.appendWithin(transaction, { ...event, type: 'identity.account_changed', data })
    }
    if (passwordHash !== null) {
      await securityEvents.appendWithin(transaction, { ...event, type: 'identity.password_changed' })
    }
    return ended
  }

  return async (id, changes, actor) => {
    const { username, password, disabled } = changes
    if (username !== undefined) requireUsername(username)
    if (password !== undefined) requireFitPassword(password)
    if (disabled === true && id === actor.by) {
      throw kernelFailure('conflict', { message: 'You cannot disable your own account.' })
    }
    const given = { ...changes, passwordHash: password === undefined ? null : await hasher.hash(password) }
    try {
      const done = await database.transaction((transaction) => changeWithin(transaction, id, given, actor))
      done?.()
      changed()
      return done !== undefined
    } catch (error) {
      throw isUniqueViolation(error) && username !== undefined ? takenUsername(username) : error
    }
  }
}

function differs(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return new Set(one).symmetricDifference(new Set(other)).size > 0
  return one !== other
}

/** Lists the changed fields, with new values only where they affect access: names and addresses stay out of the log. */
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
  const logged = Object.entries({ username, roles, tier, disabled }).filter(([name]) => fields.includes(name))
  return { changed: fields, ...Object.fromEntries(logged) }
}

type LockedUser = UserRow & { readonly disabled: boolean }

/** Locks and reads an account, with its assigned roles only (without `authenticated`). */
export async function lockUser(
  transaction: Transaction<NoTables>,
  id: string,
): Promise<LockedUser | undefined> {
  await sql`select from identity_users where id = ${id} for no key update`.execute(transaction)
  const { rows } = await transaction.executeQuery<UserRow>(CompiledQuery.raw(findUserStatement, [id]))
  const [row] = rows
  if (row === undefined) return undefined
  const roles = row.roles.filter((name) => name !== 'authenticated')
  return { ...row, roles, disabled: row.disabled_at !== null }
}

interface AssignedRoles {
  readonly names: readonly string[]
  /** Whether one of the roles has every permission. */
  readonly administrator: boolean
}

/** Checks the roles to assign to an account and locks them against deletion until the commit. Throws `invalid_input`. */
export async function lockAssignedRoles(
  transaction: Transaction<NoTables>,
  given: readonly string[],
): Promise<AssignedRoles> {
  // A client that sends back the roles it read includes `authenticated`, which every account has without a row.
  const names = [...new Set(given)].filter((name) => name !== 'authenticated')
  const { rows } = await sql<{ name: string; all_permissions: boolean }>`
    select name, all_permissions from identity_roles
    where name = any(${names}::text[]) and name <> 'anonymous'
    order by name
    for key share
  `.execute(transaction)
  const known = new Set(rows.map(({ name }) => name))
  const unknown = names.find((name) => !known.has(name))
  if (unknown !== undefined) {
    const path = `roles[${given.indexOf(unknown)}]`
    throw unknown === 'anonymous'
      ? invalidField(path, 'cannot be "anonymous", the role of callers without an account', 'choice')
      : invalidField(path, `names a role that does not exist: "${unknown}"`, 'choice')
  }
  return { names, administrator: rows.some((role) => role.all_permissions) }
}

/** Replaces the roles of an account. */
export async function replaceUserRoles(
  transaction: Transaction<NoTables>,
  id: string,
  names: readonly string[],
): Promise<void> {
  await sql`
    delete from identity_user_roles where user_id = ${id} and role <> all(${names}::text[])
  `.execute(transaction)
  await sql`
    insert into identity_user_roles (user_id, role)
    select ${id}, role from unnest(${names}::text[]) as role
    on conflict do nothing
  `.execute(transaction)
}

/**
 * Serialises the transactions that may remove an administrator: two administrators who remove each other at the same
 * time would otherwise each find the other one still there.
 */
export async function lockAdministrators(transaction: Transaction<NoTables>): Promise<void> {
  await sql`
    select name from identity_roles where all_permissions order by name for no key update
  `.execute(transaction)
}

/** Throws `conflict` unless another enabled administrator exists. Call `lockAdministrators` first in the transaction. */
export async function requireAnotherAdministrator(
  transaction: Transaction<NoTables>,
  userId: string,
): Promise<void> {
  const { rows } = await sql`
    select from identity_users as other
    join identity_user_roles as held on held.user_id = other.id
    join identity_roles as role on role.name = held.role and role.all_permissions
    where other.id <> ${userId} and other.disabled_at is null
    limit 1
  `.execute(transaction)
  if (rows.length > 0) return
  throw kernelFailure('conflict', {
    message: 'This is the last administrator who can sign in. Make another account an administrator first.',
  })
}
