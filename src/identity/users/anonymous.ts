import type { Database } from '#kernel/database'
import { nobody, type Principal } from '#kernel/http'
import { type Account, grantedPermissions } from './account.ts'

/** Someone nobody asked about: on routes that are open to all, no permission is looked up and none is held. */
export const anonymous: Principal = { ...nobody, roles: ['anonymous'], tier: 'anonymous' }

const statement = `select all_permissions, permissions from identity_roles where name = 'anonymous'`

/** Someone without a credential, with what the role `anonymous` grants at this moment. */
export async function loadAnonymous(database: Database): Promise<Principal> {
  const [role] = await database.query<Pick<Account, 'all_permissions' | 'permissions'>>(statement)
  return role === undefined ? anonymous : { ...anonymous, permissions: grantedPermissions(role) }
}
