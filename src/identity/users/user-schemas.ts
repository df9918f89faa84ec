import { type Static, Type } from 'typebox'
import { oneLine } from '#kernel/http'
import { nullable } from '../schemas.ts'
import { tierNames } from '../tiers.ts'

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

/** The schemas of the account fields in request bodies. */
export const userFields = {
  username: Type.String({
    minLength: 1,
    maxLength: 64,
    description: "Letters, digits, spaces and . _ @ + ' -. Case-insensitive.",
  }),
  password: Type.String({ minLength: 1, maxLength: 1024, description: 'At least 8 characters.' }),
  email: nullable(Type.String({ format: 'email', maxLength: 254 })),
  display_name: Type.String({
    maxLength: 100,
    ...oneLine,
    description: 'Name shown to other people. Default: the username.',
  }),
  roles: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 100, description: 'Names of roles.' }),
  tier: Type.Enum([...tierNames], { description: 'Determines the limits of the account.' }),
}
