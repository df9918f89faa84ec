import { CompiledQuery, sql, type Transaction } from 'kysely'
import { type Database, isTaken, type NoTables } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import type { AskedBy } from '../asked-by.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import { lockGivenRoles, storeRoles } from '../roles/given-roles.ts'
import type { SecurityEvent, SecurityEvents } from '../security-events.ts'
import type { EndSignIns } from '../tokens/end-sign-ins.ts'
import { lockAdministrators, requireAnotherAdministrator } from './administrators.ts'
import {
  countUsersStatement,
  findUsernameStatement,
  findUserStatement,
  listUsersStatement,
  toUser,
  type UserRow,
} from './user.ts'
import { requireFitPassword, requireUsername, takenUsername } from './user-rules.ts'
import type { User } from './user-shapes.ts'
import { usernameKey } from './username.ts'

interface NewUser {
  readonly username: string
  readonly password: string
  readonly email?: string | null | undefined
  /** The username where none is given. */
  readonly displayName?: string | undefined
  readonly roles?: readonly string[] | undefined
  readonly tier?: string | undefined
}

/** The accounts, for those who administer them. */
export interface Users {
  create(user: NewUser, asked: AskedBy): Promise<User>
  find(id: string): Promise<User | undefined>
  findByUsername(username: string): Promise<User | undefined>
  /** Those with the text in username, display name or e-mail address; all without one. */
  list(options: {
    readonly search?: string | undefined
    readonly limit: number
    readonly offset: number
  }): Promise<{ readonly users: readonly User[]; readonly total: number }>
  /**
   * Holds at once, on every replica. Another password, or disabling, ends all that the account is signed in with. Answers
   * nothing when there is no such account.
   */
  change(id: string, changes: UserChanges, asked: AskedBy): Promise<User | undefined>
  /** Deletes the account with all it has. Answers whether there was one. */
  remove(id: string, asked: AskedBy): Promise<boolean>
}

export type UsersOptions = ChangeUserOptions

export function createUsers(options: UsersOptions): Users {
  const { database, hasher, securityEvents } = options
  const change = createChangeUser(options)

  async function find(id: string): Promise<User | undefined> {
    const [row] = await database.query<UserRow>(findUserStatement, [id])
    return row === undefined ? undefined : toUser(row)
  }

  return {
    async create(user, asked) {
      requireUsername(user.username)
      requireFitPassword(user.password)
      const { username, email = null, displayName = username } = user
      const passwordHash = await hasher.hash(user.password)
      return await database.transaction(async (transaction) => {
        const roles = await lockGivenRoles(transaction, user.roles ?? [])
        const tier = user.tier ?? (roles.administrator ? 'custom' : 'professional')
        const { rows: created } = await sql<{ id: string }>`
          insert into identity_users (username, username_key, email, display_name, password_hash, tier)
          values (${username}, ${usernameKey(username)}, ${email}, ${displayName}, ${passwordHash}, ${tier})
          on conflict (username_key) do nothing
          returning id
        `.execute(transaction)
        const id = created[0]?.id
        if (id === undefined) throw takenUsername(username)
        await storeRoles(transaction, id, roles.names)
        const { rows } = await transaction.executeQuery<UserRow>(CompiledQuery.raw(findUserStatement, [id]))
        await securityEvents.appendWithin(transaction, {
          type: 'identity.account_created',
          subject: id,
          account: id,
          ...asked,
          data: { username, roles: roles.names, tier },
        })
        const [row] = rows
        if (row === undefined) throw new Error('an account just stored was not found')
        return toUser(row)
      })
    },

    find,

    async findByUsername(username) {
      const [row] = await database.query<UserRow>(findUsernameStatement, [usernameKey(username)])
      return row === undefined ? undefined : toUser(row)
    },

    async list({ search = '', limit, offset }) {
      const sought = usernameKey(search)
      const [rows, [counted]] = await Promise.all([
        database.query<UserRow>(listUsersStatement, [sought, limit, offset]),
        database.query<{ total: number }>(countUsersStatement, [sought]),
      ])
      return { users: rows.map(toUser), total: counted?.total ?? 0 }
    },

    async change(id, changes, asked) {
      return (await change(id, changes, asked)) ? await find(id) : undefined
    },

    remove: createRemoveUser(options),
  }
}

/** Deletes an account with its sessions, keys and clients. Answers whether there was one. */
function createRemoveUser({
  database,
  endSignIns,
  securityEvents,
  changed,
}: Omit<ChangeUserOptions, 'hasher'>): (id: string, asked: AskedBy) => Promise<boolean> {
  return async (id, asked) => {
    if (id === asked.by) throw kernelFailure('conflict', { message: 'You cannot delete your own account.' })
    const ended = await database.transaction(async (transaction) => {
      await lockAdministrators(transaction)
      const user = await lockUser(transaction, id)
      if (user === undefined) return undefined
      if (user.all_permissions && !user.disabled) await requireAnotherAdministrator(transaction, id)
      const done = await endSignIns.allWithin(transaction, { userId: id, consents: true })
      await sql`delete from identity_users where id = ${id}`.execute(transaction)
      await securityEvents.appendWithin(transaction, {
        type: 'identity.account_deleted',
        subject: id,
        account: id,
        ...asked,
        data: { username: user.username },
      })
      return done
    })
    ended?.()
    changed()
    return ended !== undefined
  }
}

/** What is absent stays as it is. */
interface UserChanges {
  readonly username?: string | undefined
  readonly email?: string | null | undefined
  readonly displayName?: string | undefined
  readonly roles?: readonly string[] | undefined
  readonly tier?: string | undefined
  readonly password?: string | undefined
  readonly disabled?: boolean | undefined
}

interface ChangeUserOptions {
  readonly database: Database
  readonly hasher: PasswordHasher
  readonly endSignIns: EndSignIns
  readonly securityEvents: SecurityEvents
  /** Told after a commit that takes something away. */
  readonly changed: () => void
}

type ChangeUser = (id: string, changes: UserChanges, asked: AskedBy) => Promise<boolean>

/** Changes an account. Answers whether there is one. */
function createChangeUser(options: ChangeUserOptions): ChangeUser {
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

type LockedUser = UserRow & { readonly disabled: boolean }

/** Reads the account once nobody else can change it, with the roles that are its own. */
async function lockUser(transaction: Transaction<NoTables>, id: string): Promise<LockedUser | undefined> {
  await sql`select from identity_users where id = ${id} for no key update`.execute(transaction)
  const { rows } = await transaction.executeQuery<UserRow>(CompiledQuery.raw(findUserStatement, [id]))
  const [row] = rows
  if (row === undefined) return undefined
  const roles = row.roles.filter((name) => name !== 'authenticated')
  return { ...row, roles, disabled: row.disabled_at !== null }
}
