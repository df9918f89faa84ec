import { CompiledQuery, sql } from 'kysely'
import { kernelFailure } from '#kernel/errors'
import type { Actor } from '../actor.ts'
import {
  type ChangeUserOptions,
  createChangeUser,
  lockAdministrators,
  lockAssignedRoles,
  lockUser,
  replaceUserRoles,
  requireAnotherAdministrator,
  type UserChanges,
} from './change-user.ts'
import {
  countUsersStatement,
  findUsernameStatement,
  findUserStatement,
  toUser,
  type UserRow,
  type UserSort,
  writeListUsers,
} from './user.ts'
import { requireFitPassword, requireUsername, takenUsername, usernameKey } from './user-rules.ts'
import type { User } from './user-schemas.ts'

interface NewUser {
  readonly username: string
  readonly password: string
  readonly email?: string | null | undefined
  /** Default: the username. */
  readonly displayName?: string | undefined
  readonly roles?: readonly string[] | undefined
  readonly tier?: string | undefined
}

/** The accounts, for administrators. Every method that changes one throws `invalid_input` or `conflict`. */
export interface Users {
  create(user: NewUser, actor: Actor): Promise<User>
  find(id: string): Promise<User | undefined>
  findByUsername(username: string): Promise<User | undefined>
  /** Accounts with the search text in username, display name or e-mail address; all accounts without a text. */
  list(options: {
    readonly search?: string | undefined
    readonly sort?: UserSort | undefined
    readonly descending?: boolean | undefined
    readonly limit: number
    readonly offset: number
  }): Promise<{ readonly users: readonly User[]; readonly total: number }>
  /**
   * Applies at once, on every replica. A new password, or disabling, ends every session and token of the account.
   * Undefined when there is no such account.
   */
  change(id: string, changes: UserChanges, actor: Actor): Promise<User | undefined>
  /** Deletes the account with its sessions, keys and clients. False when there is no such account. */
  remove(id: string, actor: Actor): Promise<boolean>
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
    async create(user, actor) {
      requireUsername(user.username)
      requireFitPassword(user.password)
      const { username, email = null, displayName = username } = user
      const passwordHash = await hasher.hash(user.password)
      return await database.transaction(async (transaction) => {
        const roles = await lockAssignedRoles(transaction, user.roles ?? [])
        const tier = user.tier ?? (roles.administrator ? 'custom' : 'professional')
        const { rows: created } = await sql<{ id: string }>`
          insert into identity_users (username, username_key, email, display_name, password_hash, tier)
          values (${username}, ${usernameKey(username)}, ${email}, ${displayName}, ${passwordHash}, ${tier})
          on conflict (username_key) do nothing
          returning id
        `.execute(transaction)
        const id = created[0]?.id
        if (id === undefined) throw takenUsername(username)
        await replaceUserRoles(transaction, id, roles.names)
        const { rows } = await transaction.executeQuery<UserRow>(CompiledQuery.raw(findUserStatement, [id]))
        await securityEvents.appendWithin(transaction, {
          type: 'identity.account_created',
          subject: id,
          account: id,
          ...actor,
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

    async list({ search = '', sort = 'created', descending = false, limit, offset }) {
      const searchKey = usernameKey(search)
      const [rows, [counted]] = await Promise.all([
        database.query<UserRow>(writeListUsers({ sort, descending }), [searchKey, limit, offset]),
        database.query<{ total: number }>(countUsersStatement, [searchKey]),
      ])
      return { users: rows.map(toUser), total: counted?.total ?? 0 }
    },

    async change(id, changes, actor) {
      return (await change(id, changes, actor)) ? await find(id) : undefined
    },

    remove: createRemoveUser(options),
  }
}

function createRemoveUser({
  database,
  endSignIns,
  securityEvents,
  changed,
}: Omit<ChangeUserOptions, 'hasher'>): (id: string, actor: Actor) => Promise<boolean> {
  return async (id, actor) => {
    if (id === actor.by) throw kernelFailure('conflict', { message: 'You cannot delete your own account.' })
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
        ...actor,
        data: { username: user.username },
      })
      return done
    })
    ended?.()
    changed()
    return ended !== undefined
  }
}
