import type { Database } from '#kernel/database'
import { type Account, grantedPermissions, joinGranted } from './account.ts'
import type { Profile, User } from './user-schemas.ts'

type ProfileRow = Pick<Profile, 'id' | 'username' | 'email' | 'display_name' | 'roles' | 'tier'> &
  Pick<Account, 'all_permissions' | 'permissions'> & {
    readonly created_at: Date
    readonly last_login_at: Date | null
  }

const profileColumns = `
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

function toProfile(row: ProfileRow): Profile {
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

export type UserRow = ProfileRow & { readonly disabled_at: Date | null }

const userColumns = `${profileColumns}, account.disabled_at`

export const findUserStatement = `
  select ${userColumns}
  from identity_users as account
  ${joinGranted}
  where account.id = $1
`

export const findUsernameStatement = `
  select ${userColumns}
  from identity_users as account
  ${joinGranted}
  where account.username_key = $1
`

const matchesSearch = `
  $1 = ''
    or strpos(username_key, $1) > 0
    or strpos(lower(display_name), $1) > 0
    or strpos(lower(email), $1) > 0
`

const sortColumns = {
  created: 'created_at',
  username: 'username_key',
  email: 'lower(email)',
  tier: 'tier',
  state: 'disabled_at is not null',
  last_login: 'last_login_at',
} as const

export type UserSort = keyof typeof sortColumns

export const userSorts = Object.keys(sortColumns) as readonly UserSort[]

/**
 * A page of accounts. By default the oldest come first, so that an account added while a client pages through the list moves none to
 * another page. The search reads the whole table, so an index for each order would save nothing.
 */
export function writeListUsers({ sort, descending }: { sort: UserSort; descending: boolean }): string {
  const direction = descending ? 'desc' : 'asc'
  const order = `${sortColumns[sort]} ${direction} nulls last, created_at ${direction}, id ${direction}`
  return `
    select ${userColumns}
    from (
      select *, row_number() over (order by ${order}) as place
      from (select * from identity_users where ${matchesSearch} order by ${order} limit $2 offset $3) as page
    ) as account
    ${joinGranted}
    order by account.place
  `
}

export const countUsersStatement = `select count(*) as total from identity_users where ${matchesSearch}`

export function toUser(row: UserRow): User {
  return {
    ...toProfile(row),
    disabled: row.disabled_at !== null,
    disabled_at: row.disabled_at?.toISOString() ?? null,
  }
}
