import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { UserMistake } from '#kernel/errors'
import { isScope, scopeNames } from './scopes.ts'
import { tierNames } from './tiers/tiers.ts'
import { requireUsername, userFields } from './users/user-fields.ts'

export interface NewUserFields {
  readonly username: string
  readonly email: string | undefined
  readonly displayName: string | undefined
  readonly tier: string | undefined
}

/** The rules of the routes for the same fields, in the words of the terminal. */
export function createNewUserCheck(): (fields: NewUserFields) => void {
  const ajv = addFormats.default(new Ajv({ strict: false }))
  const fits = (schema: object, value: string | undefined): boolean =>
    value === undefined || ajv.validate(schema, value)

  return ({ username, email, displayName, tier }) => {
    requireUsername(username)
    if (!fits(userFields.email, email)) throw new UserMistake(`"${email}" is not an e-mail address.`)
    if (!fits(userFields.display_name, displayName)) {
      throw new UserMistake('A display name has 1 to 100 characters, not all of them spaces.')
    }
    if (!fits(userFields.tier, tier)) {
      throw new UserMistake(`There is no tier "${tier}". There are: ${tierNames.join(', ')}`)
    }
  }
}

export function requireScopes(given: readonly string[] | null): void {
  const unknown = given?.find((name) => !isScope(name))
  if (unknown === undefined) return
  throw new UserMistake(`There is no scope "${unknown}". There are: ${scopeNames.join(', ')}`)
}

export function requireKeyName(name: string): void {
  if (/\S/.test(name) && name.length <= 100) return
  throw new UserMistake('The name of a key has 1 to 100 characters, not all of them spaces.')
}
