import { invalidField, takenField } from '../errors.ts'
import { describeUnfitPassword } from '../passwords/password-rules.ts'

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

const maxLength = 64

/** Letters, digits and the punctuation of names and e-mail addresses. No colon: it ends the username in HTTP Basic. */
const pattern = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._@+'-]*[\p{L}\p{M}\p{N}._@+'-])?$/u

export function isUsername(text: string): boolean {
  return text.length <= maxLength && pattern.test(text)
}

/** Normalises a username for comparison, so that spellings that look the same belong to the same account. */
export function usernameKey(username: string): string {
  return username.normalize('NFKC').trim().toLowerCase()
}
