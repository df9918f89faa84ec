import { type Static, Type } from 'typebox'

export const profileFields = {
  id: Type.String({ format: 'uuid' }),
  username: Type.String(),
  email: Type.Union([Type.String(), Type.Null()]),
  display_name: Type.String(),
  roles: Type.Array(Type.String(), { description: 'Every account also has `authenticated`.' }),
  permissions: Type.Array(Type.String(), { description: 'Permissions of all roles together.' }),
  tier: Type.String({ description: 'One of `basic`, `professional`, `enterprise`, `custom`.' }),
  created_at: Type.String({ format: 'date-time' }),
  last_login_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
}

const profileSchema = Type.Object(profileFields)

/** The fields of an account that its owner and administrators see. */
export type Profile = Static<typeof profileSchema>

/** An account as administrators see it. */
export const User = Type.Object(
  {
    ...profileFields,
    disabled: Type.Boolean({ description: 'Whether every credential of the account is refused.' }),
    disabled_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  },
  { description: 'An account.' },
)

export type User = Static<typeof User>
