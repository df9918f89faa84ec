import { Type } from 'typebox'
import { oneLine } from '#kernel/http'
import { nullable } from '../shapes.ts'
import { tierNames } from '../tiers/tier-names.ts'

/** What may be said of an account, each as a body has it. */
export const userFields = {
  username: Type.String({
    minLength: 1,
    maxLength: 64,
    description: "Letters, digits, spaces and . _ @ + ' -; in any case the same name.",
  }),
  password: Type.String({ minLength: 1, maxLength: 1024, description: 'At least 8 characters.' }),
  email: nullable(Type.String({ format: 'email', maxLength: 254 })),
  display_name: Type.String({
    maxLength: 100,
    ...oneLine,
    description: 'What people see; the username where none is given.',
  }),
  roles: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 100, description: 'Names of roles.' }),
  tier: Type.Enum([...tierNames], { description: 'How much the account may use.' }),
}
