/** An hour of the history, and when it began. */
interface Hour {
  readonly at: Date
}

const hourMs = 3_600_000
const maxBusiest = 3

/** The hours of the day (UTC) with the highest counts, the busiest first. */
export function busiestHours<Entry extends Hour>(
  hours: readonly Entry[],
  countOf: (hour: Entry) => number,
): { readonly hour: number; readonly count: number }[] {
  return [...Map.groupBy(hours, ({ at }) => at.getUTCHours())]
    .map(([hour, entries]) => ({ hour, count: entries.reduce((total, entry) => total + countOf(entry), 0) }))
    .toSorted((one, other) => other.count - one.count || one.hour - other.hour)
    .slice(0, maxBusiest)
}

/**
 * The hours from the first known one to the last that has ended, without gaps: undefined for an hour without counts. The current
 * hour is left out: it is incomplete and would look like a quiet one.
 */
export function endedHours<Entry extends Hour>(hours: readonly Entry[], now: Date): (Entry | undefined)[] {
  const [first] = hours
  if (first === undefined) return []
  const byStart = new Map(hours.map((hour) => [hour.at.getTime(), hour]))
  const start = first.at.getTime()
  const length = Math.max(0, (startOfHour(now).getTime() - start) / hourMs)
  return Array.from({ length }, (_, index) => byStart.get(start + index * hourMs))
}

/** The start of the UTC hour of a moment. */
export function startOfHour(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / hourMs) * hourMs)
}

const dayMs = 86_400_000

/** The end of the UTC day, which daily budgets are based on. */
export function endOfUtcDay(now: Date): Date {
  return new Date((Math.floor(now.getTime() / dayMs) + 1) * dayMs)
}

/** The time until an exhausted daily budget is renewed. */
export function secondsLeftInUtcDay(now: Date): number {
  return (endOfUtcDay(now).getTime() - now.getTime()) / 1000
}
