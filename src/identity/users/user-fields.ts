import { Type } from 'typebox'
import { invalidField, takenField } from '../errors.ts'
import { describeUnfitPassword } from '../passwords/password-rules.ts'
import { nullable, oneLine } from '../shapes.ts'
import { tierNames } from '../tiers/tiers.ts'
import { isUsername, usernameKey } from './username.ts'

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

export function requireUsername(username: string): void {
  // The name as it is compared must be one, too, or nobody could sign in with it.
  if (isUsername(username) && isUsername(usernameKey(username))) return
  throw invalidField(
    'username',
    "must be 1 to 64 letters, digits, spaces or . _ @ + ' - and begin with a letter or digit",
    'username',
  )
}

export function requireFitPassword(password: string, path = 'password'): void {
  const unfit = describeUnfitPassword(password)
  if (unfit !== undefined) throw invalidField(path, unfit, 'password')
}

export function takenUsername(username: string) {
  return takenField('username', `"${username}" is somebody's already`)
}
