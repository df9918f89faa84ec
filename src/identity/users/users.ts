import { CompiledQuery, sql } from 'kysely'
import type { AskedBy } from '../asked-by.ts'
import { lockGivenRoles, storeRoles } from '../roles/given-roles.ts'
import { type ChangeUserOptions, createChangeUser, type UserChanges } from './change-user.ts'
import { createRemoveUser } from './remove-user.ts'
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
