/** What was found, or why nothing can be said. */
export type Judgement<T> = { readonly value: T } | { readonly reason: string }

/** So that the same text gives the same numbers, whatever the last bits of a division are. */
export function round(value: number, decimals = 2): number {
  const factor = 10 ** decimals
  // Without the addition a negative that rounds to nothing would be -0.
  return Math.round(value * factor) / factor + 0
}
