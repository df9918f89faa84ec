const longest = 64

/** Letters, digits and a few marks that names and mail addresses have. Never a colon: HTTP Basic ends the name there. */
const pattern = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._@+'-]*[\p{L}\p{M}\p{N}._@+'-])?$/u

/** Whether an account may have this name. */
export function isUsername(text: string): boolean {
  return text.length <= longest && pattern.test(text)
}

/** The name as it is compared: two spellings that people take for the same name are the same account. */
export function usernameKey(username: string): string {
  return username.normalize('NFKC').trim().toLowerCase()
}
