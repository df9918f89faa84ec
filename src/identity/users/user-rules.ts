import { invalidField, takenField } from '../errors.ts'
import { describeUnfitPassword } from '../passwords/password-rules.ts'
import { isUsername, usernameKey } from './username.ts'

export function requireUsername(username: string): void {
  // The normalised name must be valid as well, or the account could never sign in.
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
  return takenField('username', `"${username}" is already the name of another account`)
}
