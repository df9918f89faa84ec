import { UserMistake } from '#kernel/errors'
import { isScope, scopeNames } from './scopes.ts'

export function requireScopes(given: readonly string[] | null): void {
  const unknown = given?.find((name) => !isScope(name))
  if (unknown === undefined) return
  throw new UserMistake(`There is no scope "${unknown}". There are: ${scopeNames.join(', ')}`)
}

export function requireKeyName(name: string): void {
  if (/\S/.test(name) && name.length <= 100) return
  throw new UserMistake('The name of a key has 1 to 100 characters, not all of them spaces.')
}
