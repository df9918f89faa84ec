import { Cron } from 'croner'

/** A parsed cron expression. */
interface CronTimes {
  /** The first time after this one; null when there is none. */
  next(after: Date): Date | null
}

/** The fields of an expression, as error messages name them. */
interface Field {
  readonly name: string
  readonly takes: string
}

const fields: readonly Field[] = [
  { name: 'second', takes: '0 to 59, such as 0, 30 or */15' },
  { name: 'minute', takes: '0 to 59, such as 0, 5,35 or */10' },
  { name: 'hour', takes: '0 to 23, such as 9, 8-17 or */2' },
  { name: 'day of the month', takes: '1 to 31 or L for the last, such as 1, 1,15 or L' },
  { name: 'month', takes: '1 to 12 or JAN to DEC, such as 1, 6-8 or JAN,JUL' },
  { name: 'day of the week', takes: '0 to 7 or SUN to SAT, such as 1-5, MON or FRI#L' },
]

const example = 'For example: "0 9 * * 1-5" is 9:00 from Monday to Friday, "*/15 * * * *" every 15 minutes.'

/** The minimum interval of a schedule. */
const minSecondsBetween = 10

/** Number of consecutive times that are compared: more than a minute and the change of a day can contain. */
const timesLookedAt = 80

/**
 * Parses an expression that `describeCronProblem` accepts.
 *
 * When clocks go forward, a fixed time that does not exist runs right after the change, and one of a range or a step is skipped. When
 * they go back, a fixed time runs once, the first time, and ranges and steps run in both hours.
 */
function readCron(expression: string, timezone: string): CronTimes {
  const cron = new Cron(expression, { timezone, mode: '5-or-6-parts' })
  return { next: (after) => cron.nextRun(after) }
}

/** The problem of an expression and how to fix it; undefined when it is valid. */
export function describeCronProblem(expression: string): string | undefined {
  const parts = expression.trim().split(/\s+/)
  if (expression.trim() === '' || (parts.length !== 5 && parts.length !== 6)) {
    const found = expression.trim() === '' ? 'is empty' : `has ${count(parts.length, 'field')}`
    return `"${expression}" ${found}; it needs five (minute, hour, day of the month, month, day of the week), or six with the second before them. ${example}`
  }
  const named = parts.length === 6 ? fields : fields.slice(1)
  for (const [index, field] of named.entries()) {
    const part = parts[index] ?? ''
    if (!isReadable(named.map((_, other) => (other === index ? part : '*')).join(' '))) {
      return `The field for the ${field.name}, "${part}", is not valid; it takes ${field.takes}, or * for every one. ${example}`
    }
  }
  if (!isReadable(parts.join(' '))) return `"${expression}" is no cron expression. ${example}`
  return describeTimesProblem(parts.join(' '))
}

/** The problem of a time zone; undefined when it is valid. */
export function describeTimezoneProblem(timezone: string): string | undefined {
  // Offsets are rejected: they do not know daylight saving time.
  const isName = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(timezone)
  if (isName && isTimezone(timezone)) return undefined
  return `"${timezone}" is no time zone of the IANA database, such as Europe/Berlin, America/New_York or UTC.`
}

function describeTimesProblem(expression: string): string | undefined {
  const cron = new Cron(expression, { timezone: 'UTC', mode: '5-or-6-parts' })
  if (cron.nextRun() === null) return `"${expression}" never comes. ${example}`
  const parts = expression.split(' ')
  if (parts.length === 5) return undefined
  // With every day allowed, so that rare days need not be searched: second, minute and hour decide the minimum interval.
  const daily = new Cron([...parts.slice(0, 3), '*', '*', '*'].join(' '), { timezone: 'UTC' })
  let before: Date | null = null
  for (const time of daily.nextRuns(timesLookedAt)) {
    const seconds = before === null ? minSecondsBetween : (time.getTime() - before.getTime()) / 1000
    if (seconds < minSecondsBetween) {
      return `"${expression}" comes ${count(seconds, 'second')} after the time before; the least is ${minSecondsBetween}. For example: "*/30 * * * * *" is every 30 seconds.`
    }
    before = time
  }
  return undefined
}

function isReadable(expression: string): boolean {
  try {
    return new Cron(expression, { mode: '5-or-6-parts' }).getPattern() !== undefined
  } catch {
    return false
  }
}

function isTimezone(timezone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`
}

/** The timing of a schedule. */
export interface Timing {
  readonly cron: string
  readonly timezone: string
  /** Not before; null: from now on. */
  readonly startsAt: Date | null
  /** Not after; null: without an end. */
  readonly endsAt: Date | null
}

/** Later times are not searched: searching for rare times takes long. */
const maxAheadMs = 100 * 365.25 * 86_400_000

/** The first time after this one within the window of the schedule; null when there is none. */
export function nextTime(timing: Timing, after: Date): Date | null {
  const [first] = nextTimes(timing, after, 1)
  return first ?? null
}

/** The next times after this one, up to a maximum. */
export function nextTimes({ cron, timezone, startsAt, endsAt }: Timing, after: Date, most: number): Date[] {
  const times = readCron(cron, timezone)
  const found: Date[] = []
  // One millisecond before the start of the window, which is itself a valid time.
  let last = startsAt !== null && startsAt > after ? new Date(startsAt.getTime() - 1) : after
  while (found.length < most) {
    const time = times.next(last)
    if (time === null || (endsAt !== null && time > endsAt)) break
    if (found.length > 0 && time.getTime() - after.getTime() > maxAheadMs) break
    found.push(time)
    last = time
  }
  return found
}
