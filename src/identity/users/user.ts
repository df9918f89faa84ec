import { type Static, Type } from 'typebox'
import { joinGranted } from './account.ts'
import { type ProfileRow, profileColumns, profileFields, toProfile } from './profile.ts'

/** An account as those who administer accounts see it. */
export const User = Type.Object(
  {
    ...profileFields,
    disabled: Type.Boolean({ description: 'Whether every credential of the account is refused.' }),
    disabled_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  },
  { description: 'An account.' },
)

export type User = Static<typeof User>

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

const isSought = `
  $1 = ''
    or strpos(username_key, $1) > 0
    or strpos(lower(display_name), $1) > 0
    or strpos(lower(email), $1) > 0
`

/** The oldest first, so that an account that is added meanwhile moves none to another page. */
export const listUsersStatement = `
  select ${userColumns}
  from (
    select * from identity_users where ${isSought} order by created_at, id limit $2 offset $3
  ) as account
  ${joinGranted}
  order by account.created_at, account.id
`

export const countUsersStatement = `select count(*) as total from identity_users where ${isSought}`

export function toUser(row: UserRow): User {
  return {
    ...toProfile(row),
    disabled: row.disabled_at !== null,
    disabled_at: row.disabled_at?.toISOString() ?? null,
  }
}
