import { Type } from 'typebox'
import { oneLine } from '#kernel/http'
import { nullable } from '../schemas.ts'
import { tierNames } from '../tiers/tier-names.ts'

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
