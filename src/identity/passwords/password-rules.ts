const shortestBytes = 8
const longestBytes = 1024

/** What is wrong with a new password, as the end of a sentence; undefined when nothing is. */
export function describeUnfitPassword(password: string): string | undefined {
  const bytes = Buffer.byteLength(password)
  if (bytes < shortestBytes) return `must have at least ${shortestBytes} characters`
  if (bytes > longestBytes) return `must not be longer than ${longestBytes} bytes`
  return undefined
}
