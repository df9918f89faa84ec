/** A result, or the reason why there is none. */
export type Finding<T> = { readonly value: T } | { readonly reason: string }

/** Rounds, so that the result does not depend on the last bits of a division. */
export function round(value: number, decimals = 2): number {
  const factor = 10 ** decimals
  // The addition turns -0 into 0.
  return Math.round(value * factor) / factor + 0
}
