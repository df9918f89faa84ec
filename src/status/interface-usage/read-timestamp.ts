/*
 * ISO 8601 has more than the profile that `Date.parse` reads: basic and extended forms, week and ordinal dates, a comma before the
 * fraction, fractions of minutes and hours, offsets without a colon.
 */

const dateForm =
  /^(?<year>\d{4})(?:-?W(?<week>\d\d)-?(?<weekday>[1-7])|-?(?<month>\d\d)-?(?<day>\d\d)|-?(?<ordinal>\d{3}))$/

const timeForm =
  /^(?<hour>\d\d)(?::?(?<minute>\d\d)(?::?(?<second>\d\d))?)?(?:[.,](?<fraction>\d{1,20}))?(?<offset>[Zz]|[+\-−]\d\d(?::?\d\d)?)?$/

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000] as const

/** An offset leads out of the years 0 to 9999, and neither the database nor a text has those beyond with four digits. */
const [earliest, latest] = [startOf(0), startOf(10_000) - 1] as const

/** Reads an ISO 8601 timestamp that names a day; undefined when it is none. Without a time it is midnight, without an offset UTC. */
export function readTimestamp(text: string): Date | undefined {
  const separator = text.search(/[Tt ]/)
  const day = readDay(separator === -1 ? text : text.slice(0, separator))
  const time = separator === -1 ? 0 : readTime(text.slice(separator + 1))
  if (day === undefined || time === undefined) return undefined
  return new Date(Math.min(latest, Math.max(earliest, day + time)))
}

function readDay(text: string): number | undefined {
  const parts = dateForm.exec(text)?.groups
  if (parts === undefined) return undefined
  const { week, weekday, month, day, ordinal } = parts
  const year = Number(parts['year'])
  const [first, nextFirst] = [startOf(year), startOf(year + 1)]
  if (ordinal !== undefined) {
    const at = first + (Number(ordinal) - 1) * dayMs
    return at >= first && at < nextFirst ? at : undefined
  }
  if (week !== undefined) {
    const at = firstWeekOf(year) + ((Number(week) - 1) * 7 + Number(weekday) - 1) * dayMs
    return Number(week) >= 1 && at < firstWeekOf(year + 1) ? at : undefined
  }
  const at = new Date(first)
  at.setUTCMonth(Number(month) - 1, Number(day))
  // A month or a day that the calendar does not have ends up in another one.
  return at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(day) ? at.getTime() : undefined
}

/** `Date.UTC` takes the years up to 99 for others. */
function startOf(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1)
}

/** The Monday of the week that has January 4th. */
function firstWeekOf(year: number): number {
  const fourth = startOf(year) + 3 * dayMs
  return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs
}

function readTime(text: string): number | undefined {
  const parts = timeForm.exec(text)?.groups
  if (parts === undefined) return undefined
  const { minute, second, fraction, offset = 'Z' } = parts
  const [hours, minutes, seconds] = [parts['hour'], minute ?? 0, second ?? 0].map(Number) as [
    number,
    number,
    number,
  ]
  const unitMs = second !== undefined ? 1000 : minute !== undefined ? minuteMs : hourMs
  // A leap second is the last one of its minute.
  const ms = hours * hourMs + minutes * minuteMs + Math.min(seconds, 59) * 1000
  const more = Math.floor(Number(`0.${fraction ?? 0}`) * unitMs)
  const offsetMs = readOffset(offset)
  const isMidnight = hours === 24 && minutes === 0 && seconds === 0 && more === 0
  if ((hours > 23 && !isMidnight) || minutes > 59 || seconds > 60 || offsetMs === undefined) return undefined
  return ms + more - offsetMs
}

function readOffset(text: string): number | undefined {
  if (text === 'Z' || text === 'z') return 0
  const digits = text.slice(1).replace(':', '')
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2) || 0)]
  if (hours > 23 || minutes > 59) return undefined
  return (text.startsWith('+') ? 1 : -1) * (hours * hourMs + minutes * minuteMs)
}
