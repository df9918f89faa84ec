import type { Database } from '#kernel/database'
import { anonymousPrincipal, type Principal } from '#kernel/http'
import { type Account, grantedPermissions } from './account.ts'

/** The principal of open routes: no permissions are loaded for it, and it has none. */
export const anonymous: Principal = { ...anonymousPrincipal, roles: ['anonymous'], tier: 'anonymous' }

const statement = `select all_permissions, permissions from identity_roles where name = 'anonymous'`

/** The principal of a request without a credential, with the current permissions of the role `anonymous`. */
export async function loadAnonymous(database: Database): Promise<Principal> {
  const [role] = await database.query<Pick<Account, 'all_permissions' | 'permissions'>>(statement)
  return role === undefined ? anonymous : { ...anonymous, permissions: grantedPermissions(role) }
}
