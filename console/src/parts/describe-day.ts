/** A day in UTC such as `2026-11-15`, as people say it: `Sun 15 Nov`. */
export function describeDay(day: string): string {
  return write(day, { weekday: 'short', day: 'numeric', month: 'short' })
}

/** The same without the day of the week. */
export function describeShortDay(day: string): string {
  return write(day, { day: 'numeric', month: 'short' })
}

function write(day: string, format: Intl.DateTimeFormatOptions): string {
  return new Date(day).toLocaleDateString(undefined, { ...format, timeZone: 'UTC' })
}
