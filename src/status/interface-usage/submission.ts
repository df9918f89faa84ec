import { type Static, Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { oneLine } from '#kernel/http'

const Word = (max: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength: max,
    ...oneLine,
    description,
  })

/** An additional field, kept for a few days. */
const More = Type.Unsafe<string | number | boolean | null>({
  anyOf: [{ type: 'string', maxLength: 200 }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }],
})

export const SubmissionBody = Type.Object(
  {
    event: Word(100, 'What happened, such as `click`.'),
    component: Word(100, 'Where in the interface.'),
    user_agent: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'User agent of the browser. Default: the header of this request.',
      }),
    ),
    timestamp: Type.String({
      maxLength: 64,
      description:
        'Time of the event: an ISO 8601 timestamp with a day; UTC without an offset. The event counts on that day (UTC), or on the day of arrival if that day is in the future or beyond the retention.',
    }),
    metadata: Type.Optional(
      Type.Object(
        {
          theme: Type.Optional(Word(100, 'Name of the theme.')),
          version: Type.Optional(Word(50, 'Version of the theme.')),
        },
        {
          additionalProperties: More,
          maxProperties: 12,
          description: 'Additional fields are kept for a few days.',
        },
      ),
    ),
  },
  { additionalProperties: false },
)

type SubmissionBody = Static<typeof SubmissionBody>

/** A usage event. */
export interface Submission {
  readonly occurredAt: Date
  readonly receivedAt: Date
  readonly event: string
  readonly component: string
  readonly theme: string | null
  readonly version: string | null
  readonly browser: string
  readonly userAgent: string
  readonly more: Readonly<Record<string, unknown>>
}

const maxNameLength = 64

export function readSubmission(body: SubmissionBody, header: string | undefined, now: Date): Submission {
  const { event, component, timestamp, metadata = {}, user_agent: given } = body
  const { theme, version, ...more } = metadata
  const longName = Object.keys(more).find((name) => name.length > maxNameLength)
  if (longName !== undefined) {
    throw wrong('metadata', `must not have names of more than ${maxNameLength} characters`)
  }
  const occurredAt = readTimestamp(timestamp)
  if (occurredAt === undefined) {
    throw wrong('timestamp', 'must be an ISO 8601 timestamp, such as 2026-11-15T17:49:51Z')
  }
  const userAgent = (given ?? header ?? '').slice(0, 1000).toWellFormed()
  return {
    occurredAt,
    receivedAt: now,
    event: event.trim(),
    component: component.trim(),
    theme: theme?.trim() ?? null,
    version: version?.trim() ?? null,
    browser: browserFamilyOf(userAgent),
    userAgent,
    more,
  }
}

function wrong(path: string, message: string) {
  return kernelFailure('invalid_input', {
    message: `${path} ${message}.`,
    problems: [{ path, message, code: 'value' }],
  })
}

type BrowserFamily = 'chrome' | 'edge' | 'firefox' | 'opera' | 'safari' | 'samsung' | 'bot' | 'other'

/** The order matters: nearly every browser also claims to be one of those further down. */
const marks: readonly (readonly [RegExp, BrowserFamily])[] = [
  [/bot\b|crawler|spider|headless|curl\/|wget\/|python-requests/i, 'bot'],
  [/\bEdg(?:e|A|iOS)?\//, 'edge'],
  [/\bOPR\/|\bOpera\b|\bOPiOS\//, 'opera'],
  [/\bSamsungBrowser\//, 'samsung'],
  [/\bFirefox\/|\bFxiOS\//, 'firefox'],
  [/\bChrome\/|\bCriOS\/|\bChromium\//, 'chrome'],
  [/\bSafari\//, 'safari'],
]

/** The most likely browser family of a user agent. */
export function browserFamilyOf(userAgent: string): BrowserFamily {
  return marks.find(([mark]) => mark.test(userAgent))?.[1] ?? 'other'
}

/*
 * ISO 8601 allows more than `Date.parse` reads: basic and extended forms, week and ordinal dates, a comma before the
 * fraction, fractions of minutes and hours, offsets without a colon.
 */

const dateForm =
  /^(?<year>\d{4})(?:-?W(?<week>\d\d)-?(?<weekday>[1-7])|-?(?<month>\d\d)-?(?<day>\d\d)|-?(?<ordinal>\d{3}))$/

const timeForm =
  /^(?<hour>\d\d)(?::?(?<minute>\d\d)(?::?(?<second>\d\d))?)?(?:[.,](?<fraction>\d{1,20}))?(?<offset>[Zz]|[+\-−]\d\d(?::?\d\d)?)?$/

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000] as const

/** An offset can lead beyond the years 0 to 9999, which neither the database nor a four-digit year can represent. */
const [earliest, latest] = [startOf(0), startOf(10_000) - 1] as const

/** Parses an ISO 8601 timestamp with a day; undefined when invalid. Without a time it is midnight, without an offset UTC. */
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
  // A month or day that does not exist overflows into another one.
  return at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(day) ? at.getTime() : undefined
}

/** `Date.UTC` maps the years 0 to 99 to 1900 to 1999. */
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
