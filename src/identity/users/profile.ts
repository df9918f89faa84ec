import type { Database } from '#kernel/database'
import { type Account, grantedPermissions, joinGranted } from './account.ts'
import type { Profile } from './user-schemas.ts'

export type ProfileRow = Pick<Profile, 'id' | 'username' | 'email' | 'display_name' | 'roles' | 'tier'> &
  Pick<Account, 'all_permissions' | 'permissions'> & {
    readonly created_at: Date
    readonly last_login_at: Date | null
  }

export const profileColumns = `
  account.id, account.username, account.email, account.display_name, account.tier,
  account.created_at, account.last_login_at,
  granted.roles, granted.all_permissions, granted.permissions
`

const statement = `
  select ${profileColumns}
  from identity_users as account
  ${joinGranted}
  where account.id = $1
`

export async function loadProfile(database: Database, id: string): Promise<Profile | undefined> {
  const [row] = await database.query<ProfileRow>(statement, [id])
  return row === undefined ? undefined : toProfile(row)
}

export function toProfile(row: ProfileRow): Profile {
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    display_name: row.display_name,
    roles: row.roles,
    permissions: [...grantedPermissions(row)].sort(),
    tier: row.tier,
    created_at: row.created_at.toISOString(),
    last_login_at: row.last_login_at?.toISOString() ?? null,
  }
}
