/** What was tried, and how often it went well. */
export interface Tries {
  readonly completed: number
  readonly failed: number
}

/** Where the normal distribution has 95 % to its left. */
const z = 1.645

/** One success more and one failure more than there were: a few tries make nothing perfect or hopeless. Null without any. */
export function likelyRate({ completed, failed }: Tries): number | null {
  const tries = completed + failed
  return tries === 0 ? null : (completed + 1) / (tries + 2)
}

/** Between these two lies the rate of success, each with a probability of 95 %, by how many tries there were (Wilson); null without any. */
export function rateBounds({
  completed,
  failed,
}: Tries): { readonly low: number; readonly high: number } | null {
  const tries = completed + failed
  if (tries === 0) return null
  const share = completed / tries
  const middle = share + z ** 2 / (2 * tries)
  const spread = z * Math.sqrt((share * (1 - share)) / tries + z ** 2 / (4 * tries ** 2))
  const whole = 1 + z ** 2 / tries
  return { low: Math.max(0, (middle - spread) / whole), high: Math.min(1, (middle + spread) / whole) }
}

/** Tries after which half of what they can show has been shown. */
const halfwayTries = 10

/** How much tries have shown of what they can show: 0 without any, towards 1 with many. */
export function evidenceOf({ completed, failed }: Tries): number {
  const tries = completed + failed
  return tries / (tries + halfwayTries)
}
