import { sql } from 'kysely'
import type { Database } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import type { Actor } from '../actor.ts'
import { takenField } from '../errors.ts'
import { permissions as everyPermission } from '../permissions.ts'
import { requireKnownNames } from '../require-known-names.ts'
import type { SecurityEvents } from '../security-events.ts'
import type { Role } from './role-schema.ts'

interface NewRole {
  readonly name: string
  readonly label: string
  readonly permissions: readonly string[]
}

/** The roles and their permissions. A change applies at once to every account with the role, on every replica. */
export interface Roles {
  list(options: {
    readonly limit: number
    readonly offset: number
  }): Promise<{ readonly roles: readonly Role[]; readonly total: number }>
  /** Throws `invalid_input` for an unknown permission, `conflict` for a name that exists. */
  create(role: NewRole, actor: Actor): Promise<Role>
  /** Undefined when there is no such role; throws `conflict` for the permissions of a role that has all of them. */
  change(name: string, changes: RoleChanges, actor: Actor): Promise<Role | undefined>
  /** Also removes the role from every account. False when there is no such role; throws `conflict` for a built-in one. */
  remove(name: string, actor: Actor): Promise<boolean>
}

interface RoleChanges {
  readonly label?: string | undefined
  readonly permissions?: readonly string[] | undefined
}

interface StoredRole {
  readonly label: string
  readonly permissions: readonly string[]
  readonly all_permissions: boolean
  readonly built_in: boolean
}

export function createRoles({
  database,
  securityEvents,
  changed,
}: {
  readonly database: Database
  readonly securityEvents: SecurityEvents
  /** Called after a commit that revokes access, to clear the caches of this process. */
  readonly changed: () => void
}): Roles {
  async function find(name: string): Promise<Role | undefined> {
    const [row] = await database.query<Role>(findRoleStatement, [name])
    return row === undefined ? undefined : toRole(row)
  }

  return {
    async list({ limit, offset }) {
      const [rows, [counted]] = await Promise.all([
        database.query<Role>(listRolesStatement, [limit, offset]),
        database.query<{ total: number }>('select count(*) as total from identity_roles'),
      ])
      return { roles: rows.map(toRole), total: counted?.total ?? 0 }
    },

    async create({ name, label, permissions: given }, actor) {
      const permissions = readPermissions(given)
      await database.transaction(async (transaction) => {
        const { rows } = await sql`
          insert into identity_roles (name, label, permissions)
          values (${name}, ${label}, ${permissions}::text[])
          on conflict do nothing
          returning name
        `.execute(transaction)
        if (rows.length === 0) throw takenField('name', `"${name}" is already the name of another role`)
        await securityEvents.appendWithin(transaction, {
          type: 'identity.role_created',
          subject: name,
          account: null,
          ...actor,
          data: { label, permissions },
        })
      })
      return { name, label, permissions, all_permissions: false, built_in: false, users: 0 }
    },

    async change(name, changes, actor) {
      const permissions = changes.permissions === undefined ? undefined : readPermissions(changes.permissions)
      const found = await database.transaction(async (transaction) => {
        const { rows } = await sql<StoredRole>`
          select label, permissions, all_permissions, built_in
          from identity_roles where name = ${name} for no key update
        `.execute(transaction)
        const [before] = rows
        if (before === undefined) return false
        if (before.all_permissions && permissions !== undefined) throw hasEverything(before.label)
        const label = changes.label ?? before.label
        await sql`
          update identity_roles set label = ${label}, permissions = ${permissions ?? before.permissions}::text[]
          where name = ${name}
        `.execute(transaction)
        await securityEvents.appendWithin(transaction, {
          type: 'identity.role_changed',
          subject: name,
          account: null,
          ...actor,
          data: { label, ...(permissions !== undefined && { permissions, before: before.permissions }) },
        })
        return true
      })
      changed()
      return found ? await find(name) : undefined
    },

    async remove(name, actor) {
      const removed = await database.transaction(async (transaction) => {
        const { rows } = await sql<StoredRole & { users: number }>`
          select label, permissions, all_permissions, built_in,
            (select count(*) from identity_user_roles where role = ${name}) as users
          from identity_roles where name = ${name} for update
        `.execute(transaction)
        const [role] = rows
        if (role === undefined) return false
        if (role.built_in)
          throw kernelFailure('conflict', {
            message: `"${role.label}" is a built-in role and cannot be deleted.`,
          })
        await sql`delete from identity_roles where name = ${name}`.execute(transaction)
        await securityEvents.appendWithin(transaction, {
          type: 'identity.role_deleted',
          subject: name,
          account: null,
          ...actor,
          data: { label: role.label, permissions: role.permissions, users: role.users },
        })
        return true
      })
      changed()
      return removed
    },
  }
}

function readPermissions(given: readonly string[]): string[] {
  requireKnownNames({ path: 'permissions', noun: 'permission', given, known: everyPermission })
  return [...new Set(given)].sort()
}

function hasEverything(label: string) {
  return kernelFailure('conflict', {
    message: `"${label}" always has every permission. Its permissions cannot be changed.`,
  })
}

const columns = `
  role.name, role.label, role.permissions, role.all_permissions, role.built_in,
  case role.name
    when 'authenticated' then (select count(*) from identity_users)
    else (select count(*) from identity_user_roles as held where held.role = role.name)
  end as users
`

/** Built-in roles first, then by age: a role added while a client pages through the list moves none to another page. */
const listRolesStatement = `
  select ${columns}
  from identity_roles as role
  order by role.built_in desc, role.created_at, role.name
  limit $1 offset $2
`

const findRoleStatement = `select ${columns} from identity_roles as role where role.name = $1`

function toRole(row: Role): Role {
  const { name, label, all_permissions, built_in, users } = row
  const permissions = [...(all_permissions ? everyPermission : row.permissions)].sort()
  return { name, label, permissions, all_permissions, built_in, users }
}
