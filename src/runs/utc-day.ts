const dayMs = 86_400_000

/** When the day ends that money is counted by. */
export function endOfUtcDay(now: Date): Date {
  return new Date((Math.floor(now.getTime() / dayMs) + 1) * dayMs)
}

/** For how long a budget that is used up stays so. */
export function secondsLeftInUtcDay(now: Date): number {
  return (endOfUtcDay(now).getTime() - now.getTime()) / 1000
}
