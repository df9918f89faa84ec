import { type Static, Type } from 'typebox'
import type { Database } from '#kernel/database'
import { type Account, grantedPermissions, joinGranted } from './account.ts'

export const profileFields = {
  id: Type.String({ format: 'uuid' }),
  username: Type.String(),
  email: Type.Union([Type.String(), Type.Null()]),
  display_name: Type.String(),
  roles: Type.Array(Type.String(), { description: 'Every account also has `authenticated`.' }),
  permissions: Type.Array(Type.String(), { description: 'What all roles together allow.' }),
  tier: Type.String({ description: 'One of `basic`, `professional`, `enterprise`, `custom`.' }),
  created_at: Type.String({ format: 'date-time' }),
  last_login_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
}

const profileSchema = Type.Object(profileFields)

/** What an account is, for its owner and for those who administer accounts. */
export type Profile = Static<typeof profileSchema>

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
