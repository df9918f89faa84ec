import { type ExpressionFunction, invalidValue, numberOf } from './values.ts'

const timestamp = 'google.protobuf.Timestamp'
const dayMs = 86_400_000

/** Functions of timestamps. CEL itself has timestamp, duration, getFullYear and the like; `now` is a variable. */
export const dateFunctions: readonly ExpressionFunction[] = [
  {
    signature: `date(string): ${timestamp}`,
    description: 'A timestamp from a date or a time in ISO 8601; without an offset in UTC.',
    handler: (text: string) => readDate(text, 'UTC'),
  },
  {
    signature: `date(string, string): ${timestamp}`,
    description: 'The same, without an offset in a time zone: `date("2026-11-17 08:00", "Europe/Berlin")`.',
    handler: readDate,
  },
  {
    signature: `format_date(${timestamp}, string): string`,
    description:
      'The timestamp as a text by `yyyy`, `MM`, `dd`, `HH`, `mm`, `ss`, `MMMM` and `EEEE`, in UTC.',
    handler: (at: Date, pattern: string) => formatDate(at, pattern, 'UTC'),
  },
  {
    signature: `format_date(${timestamp}, string, string): string`,
    description: 'The same in a time zone.',
    handler: formatDate,
  },
  {
    signature: `add_days(${timestamp}, dyn): ${timestamp}`,
    description: 'The timestamp some days of 24 hours later, or earlier with a negative number.',
    handler: (at: Date, days: unknown) => valid(new Date(at.getTime() + numberOf(days, 'add_days') * dayMs)),
  },
  {
    signature: `start_of_day(${timestamp}): ${timestamp}`,
    description: 'The start of the day in UTC.',
    handler: (at: Date) => startOfDay(at, 'UTC'),
  },
  {
    signature: `start_of_day(${timestamp}, string): ${timestamp}`,
    description: 'The start of the day in a time zone.',
    handler: startOfDay,
  },
]

/** The years that CEL has timestamps for. */
function valid(at: Date): Date {
  const year = at.getUTCFullYear()
  if (year >= 1 && year <= 9999) return at
  throw invalidValue('the timestamp is not between the years 1 and 9999')
}

const written =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/

function readDate(text: string, zone: string): Date {
  const [, year, month, day, hours = '00', minutes = '00', seconds = '00', fraction = '0', offset] =
    written.exec(text.trim()) ?? []
  const local = `${year}-${month}-${day}T${hours}:${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}`
  const asUtc = new Date(`${local}Z`)
  // JavaScript takes the 31st of February for the 3rd of March.
  if (year === undefined || Number.isNaN(asUtc.getTime()) || asUtc.getUTCDate() !== Number(day))
    throw invalidValue(`"${text.slice(0, 60)}" is not a date such as 2026-11-17 or 2026-11-17T08:00:00Z`)
  if (offset !== undefined)
    return valid(new Date(`${local}${offset.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`))
  return valid(fromLocal(asUtc.getTime(), zone))
}

type Parts = Readonly<Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>>

/** Creating a formatter takes longer than using it. */
const formatters = new Map<string, Intl.DateTimeFormat>()
const maxFormatters = 100

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone)
  if (known !== undefined) return known
  try {
    const formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    if (formatters.size >= maxFormatters) formatters.clear()
    formatters.set(zone, formatter)
    return formatter
  } catch {
    throw invalidValue(`"${zone.slice(0, 60)}" is not a time zone such as Europe/Berlin`)
  }
}

function partsIn(at: Date, zone: string): Parts {
  const parts = formatterOf(zone).formatToParts(at)
  return Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)])) as unknown as Parts
}

/** The time zone's clock as if it were UTC, in milliseconds. */
function localMs(at: Date, zone: string): number {
  if (zone === 'UTC') return at.getTime()
  const { year, month, day, hour, minute, second } = partsIn(at, zone)
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((at.getTime() % 1000) + 1000) % 1000)
}

/** The moment at which the clock of a time zone shows a time. The second guess is right on days on which the clock changes. */
function fromLocal(local: number, zone: string): Date {
  const guess = new Date(2 * local - localMs(new Date(local), zone))
  return new Date(guess.getTime() + local - localMs(guess, zone))
}

function startOfDay(at: Date, zone: string): Date {
  const local = localMs(at, zone)
  return valid(fromLocal(local - (((local % dayMs) + dayMs) % dayMs), zone))
}

const maxPattern = 200

function two(value: number): string {
  return String(value).padStart(2, '0')
}

function formatDate(at: Date, pattern: string, zone: string): string {
  if (pattern.length > maxPattern) throw invalidValue(`a date pattern has at most ${maxPattern} characters`)
  const local = new Date(localMs(at, zone))
  const named = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(local)
  const parts: Readonly<Record<string, () => string>> = {
    yyyy: () => String(local.getUTCFullYear()).padStart(4, '0'),
    MMMM: () => named({ month: 'long' }),
    MM: () => two(local.getUTCMonth() + 1),
    dd: () => two(local.getUTCDate()),
    HH: () => two(local.getUTCHours()),
    mm: () => two(local.getUTCMinutes()),
    ss: () => two(local.getUTCSeconds()),
    EEEE: () => named({ weekday: 'long' }),
  }
  return pattern.replaceAll(/yyyy|MMMM|MM|dd|HH|mm|ss|EEEE/g, (part) => parts[part]?.() ?? part)
}
