const dayMs = 86_400_000

/** The end of the UTC day, which daily budgets are based on. */
export function endOfUtcDay(now: Date): Date {
  return new Date((Math.floor(now.getTime() / dayMs) + 1) * dayMs)
}

/** The time until an exhausted daily budget is renewed. */
export function secondsLeftInUtcDay(now: Date): number {
  return (endOfUtcDay(now).getTime() - now.getTime()) / 1000
}
