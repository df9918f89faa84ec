/** One thing that is judged. */
export interface Factor {
  readonly name: string
  /** From 0 to 1; null: nothing is known, and it does not count. */
  readonly score: number | null
  /** Against the other factors. */
  readonly weight: number
  /** What the score follows from, for people. */
  readonly evidence: string
}

/** The mean of the factors of which something is known; null when nothing is of any. */
export function weigh(factors: readonly Factor[]): number | null {
  const known = factors.filter((factor) => factor.score !== null)
  const weight = known.reduce((sum, factor) => sum + factor.weight, 0)
  if (weight === 0) return null
  return known.reduce((sum, factor) => sum + (factor.score ?? 0) * factor.weight, 0) / weight
}

/** To a thousandth: more digits would pretend to be exact. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
