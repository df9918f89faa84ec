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
 * The hours from the first known one to the last that has ended, without gaps: undefined where nothing was counted. The current
 * hour is left out, as it would look like a quiet one.
 */
export function endedHours<Entry extends Hour>(hours: readonly Entry[], now: Date): (Entry | undefined)[] {
  const [first] = hours
  if (first === undefined) return []
  const byStart = new Map(hours.map((hour) => [hour.at.getTime(), hour]))
  const start = first.at.getTime()
  const length = Math.max(0, (startOfHour(now).getTime() - start) / hourMs)
  return Array.from({ length }, (_, index) => byStart.get(start + index * hourMs))
}

export function startOfHour(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / hourMs) * hourMs)
}
