const shortestCharacters = 8
const longestBytes = 1024

/** What is wrong with a new password, as the end of a sentence; undefined when nothing is. */
export function describeUnfitPassword(password: string): string | undefined {
  if (Array.from(password).length < shortestCharacters)
    return `must have at least ${shortestCharacters} characters`
  if (Buffer.byteLength(password) > longestBytes) return `must not be longer than ${longestBytes} bytes`
  return undefined
}
