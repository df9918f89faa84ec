const minCharacters = 8
const maxBytes = 1024

/** The rule a new password breaks, as the end of a sentence ("must have …"); undefined when it follows all rules. */
export function describeUnfitPassword(password: string): string | undefined {
  if (Array.from(password).length < minCharacters) return `must have at least ${minCharacters} characters`
  if (Buffer.byteLength(password) > maxBytes) return `must not be longer than ${maxBytes} bytes`
  return undefined
}
