interface DaySpend {
  readonly spent: number
  readonly limit: number
  /** A call was refused, because it could have passed the limit. */
  readonly refused: boolean
}

/**
 * The percentages of its day that an account has reached, the lowest first. Nobody can spend the very last of it: who has come
 * near and is refused a call has reached it.
 */
export function passedThresholds({ spent, limit, refused }: DaySpend): readonly (80 | 100)[] {
  if (spent * 100 < limit * 80) return []
  return spent >= limit || refused ? [80, 100] : [80]
}
