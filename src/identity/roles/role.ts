import { permissions as everyPermission } from '../permissions.ts'
import type { Role } from './role-shape.ts'

const columns = `
  role.name, role.label, role.permissions, role.all_permissions, role.built_in,
  case role.name
    when 'authenticated' then (select count(*) from identity_users)
    else (select count(*) from identity_user_roles as held where held.role = role.name)
  end as users
`

/** Those that are always there first, then the oldest: one that is added meanwhile moves none to another page. */
export const listRolesStatement = `
  select ${columns}
  from identity_roles as role
  order by role.built_in desc, role.created_at, role.name
  limit $1 offset $2
`

export const findRoleStatement = `select ${columns} from identity_roles as role where role.name = $1`

export function toRole(row: Role): Role {
  const { name, label, all_permissions, built_in, users } = row
  const permissions = [...(all_permissions ? everyPermission : row.permissions)].sort()
  return { name, label, permissions, all_permissions, built_in, users }
}
