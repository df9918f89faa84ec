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
