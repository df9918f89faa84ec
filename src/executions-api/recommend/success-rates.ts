/** Completed and failed executions or runs. */
export interface Attempts {
  readonly completed: number
  readonly failed: number
}

/** The 95 % quantile of the normal distribution. */
const z = 1.645

/** The rate with one more success and one more failure, so that few attempts give no extreme rate. Null without attempts. */
export function likelyRate({ completed, failed }: Attempts): number | null {
  const attempts = completed + failed
  return attempts === 0 ? null : (completed + 1) / (attempts + 2)
}

/** The one-sided 95 % bounds of the success rate (Wilson score); null without attempts. */
export function rateBounds({
  completed,
  failed,
}: Attempts): { readonly low: number; readonly high: number } | null {
  const attempts = completed + failed
  if (attempts === 0) return null
  const share = completed / attempts
  const middle = share + z ** 2 / (2 * attempts)
  const spread = z * Math.sqrt((share * (1 - share)) / attempts + z ** 2 / (4 * attempts ** 2))
  const whole = 1 + z ** 2 / attempts
  return { low: Math.max(0, (middle - spread) / whole), high: Math.min(1, (middle + spread) / whole) }
}

/** Attempts at which the evidence is 0.5. */
const halfEvidenceAttempts = 10

/** How much evidence the attempts give: 0 without any, towards 1 with many. */
export function evidenceOf({ completed, failed }: Attempts): number {
  const attempts = completed + failed
  return attempts / (attempts + halfEvidenceAttempts)
}
