import { sql } from 'kysely'
import type { Database } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import type { AskedBy } from '../asked-by.ts'
import { takenField } from '../errors.ts'
import { permissions as everyPermission } from '../permissions.ts'
import { requireKnown } from '../require-known.ts'
import type { SecurityEvents } from '../security-events.ts'
import { findRoleStatement, listRolesStatement, toRole } from './role.ts'
import type { Role } from './role-shape.ts'

interface NewRole {
  readonly name: string
  readonly label: string
  readonly permissions: readonly string[]
}

/** The roles, and what each allows. A change holds for everyone who has the role at once, on every replica. */
export interface Roles {
  list(options: {
    readonly limit: number
    readonly offset: number
  }): Promise<{ readonly roles: readonly Role[]; readonly total: number }>
  create(role: NewRole, asked: AskedBy): Promise<Role>
  /** Answers nothing when there is no such role. */
  change(name: string, changes: RoleChanges, asked: AskedBy): Promise<Role | undefined>
  /** Takes it from everyone who has it. Answers whether there was one. */
  remove(name: string, asked: AskedBy): Promise<boolean>
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
  /** Told after a commit that takes something away. */
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

    async create({ name, label, permissions: given }, asked) {
      const permissions = readPermissions(given)
      await database.transaction(async (transaction) => {
        const { rows } = await sql`
          insert into identity_roles (name, label, permissions)
          values (${name}, ${label}, ${permissions}::text[])
          on conflict do nothing
          returning name
        `.execute(transaction)
        if (rows.length === 0) throw takenField('name', `"${name}" is another role's already`)
        await securityEvents.appendWithin(transaction, {
          type: 'identity.role_created',
          subject: name,
          account: null,
          ...asked,
          data: { label, permissions },
        })
      })
      return { name, label, permissions, all_permissions: false, built_in: false, users: 0 }
    },

    async change(name, changes, asked) {
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
          ...asked,
          data: { label, ...(permissions !== undefined && { permissions, before: before.permissions }) },
        })
        return true
      })
      changed()
      return found ? await find(name) : undefined
    },

    async remove(name, asked) {
      const removed = await database.transaction(async (transaction) => {
        const { rows } = await sql<StoredRole & { users: number }>`
          select label, permissions, all_permissions, built_in,
            (select count(*) from identity_user_roles where role = ${name}) as users
          from identity_roles where name = ${name} for update
        `.execute(transaction)
        const [role] = rows
        if (role === undefined) return false
        if (role.built_in) throw kernelFailure('conflict', { message: `"${role.label}" is always there.` })
        await sql`delete from identity_roles where name = ${name}`.execute(transaction)
        await securityEvents.appendWithin(transaction, {
          type: 'identity.role_deleted',
          subject: name,
          account: null,
          ...asked,
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
  requireKnown({ path: 'permissions', noun: 'permission', given, known: everyPermission })
  return [...new Set(given)].sort()
}

function hasEverything(label: string) {
  return kernelFailure('conflict', { message: `"${label}" has every permission; none can be taken from it.` })
}
