import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { UserError } from '#kernel/errors'
import { tierNames } from '../tiers.ts'
import { requireUsername } from './user-rules.ts'
import { userFields } from './user-schemas.ts'

export interface NewUserFields {
  readonly username: string
  readonly email: string | undefined
  readonly displayName: string | undefined
  readonly tier: string | undefined
}

/** Applies the schemas of the HTTP routes to the fields of a new account; throws a `UserError` for the terminal. */
export function checkNewUser({ username, email, displayName, tier }: NewUserFields): void {
  const ajv = addFormats.default(new Ajv({ strict: false, meta: false, validateSchema: false }))
  const fits = (schema: object, value: string | undefined): boolean =>
    value === undefined || ajv.validate(schema, value)

  requireUsername(username)
  if (!fits(userFields.email, email)) throw new UserError(`"${email}" is not an e-mail address.`)
  if (!fits(userFields.display_name, displayName)) {
    throw new UserError('A display name must have 1 to 100 characters, not only spaces.')
  }
  if (!fits(userFields.tier, tier)) {
    throw new UserError(`There is no tier "${tier}". Use one of: ${tierNames.join(', ')}`)
  }
}
