import { joinGranted } from './account.ts'
import { type ProfileRow, profileColumns, toProfile } from './profile.ts'
import type { User } from './user-schemas.ts'

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

/** Oldest first, so that an account added while a client pages through the list moves none to another page. */
export const listUsersStatement = `
  select ${userColumns}
  from (
    select * from identity_users where ${matchesSearch} order by created_at, id limit $2 offset $3
  ) as account
  ${joinGranted}
  order by account.created_at, account.id
`

export const countUsersStatement = `select count(*) as total from identity_users where ${matchesSearch}`

export function toUser(row: UserRow): User {
  return {
    ...toProfile(row),
    disabled: row.disabled_at !== null,
    disabled_at: row.disabled_at?.toISOString() ?? null,
  }
}
