/** Shorter keys would be told by too much of themselves. */
const shortestTold = 16

/** The last four characters of a key, for a person to tell it by. */
export function hintOf(key: string): string | null {
  return key.length < shortestTold ? null : key.slice(-4)
}
