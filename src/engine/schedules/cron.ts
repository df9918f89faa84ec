import { Cron } from 'croner'

/** When a schedule comes round. */
export interface CronTimes {
  /** The first time after this one; null when there is none any more. */
  next(after: Date): Date | null
}

/** A field of an expression, as it is told to whoever got it wrong. */
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

/** Nothing may run more often. */
const leastSecondsBetween = 10

/** Times that are looked at to find two that are too close: more than a minute and a day's turn can have between them. */
const timesLookedAt = 80

/**
 * Reads an expression that `describeCronProblem` has no objection to.
 *
 * When clocks are put forward, a fixed time that does not exist comes as soon as the clock has jumped, and one of a range or a step
 * is left out. When they are put back, a fixed time comes once, the first time, and ranges and steps go on through both hours.
 */
export function readCron(expression: string, timezone: string): CronTimes {
  const cron = new Cron(expression, { timezone, mode: '5-or-6-parts' })
  return { next: (after) => cron.nextRun(after) }
}

/** What is wrong with an expression and how it would be right; undefined when nothing is. */
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

/** What is wrong with a time zone; undefined when nothing is. */
export function describeTimezoneProblem(timezone: string): string | undefined {
  // Offsets are no time zones: they do not know when clocks are changed.
  const isName = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(timezone)
  if (isName && isTimezone(timezone)) return undefined
  return `"${timezone}" is no time zone of the IANA database, such as Europe/Berlin, America/New_York or UTC.`
}

function describeTimesProblem(expression: string): string | undefined {
  const cron = new Cron(expression, { timezone: 'UTC', mode: '5-or-6-parts' })
  if (cron.nextRun() === null) return `"${expression}" never comes. ${example}`
  const parts = expression.split(' ')
  if (parts.length === 5) return undefined
  // Every day, so that rare days need not be looked for: how close times come is decided by second, minute and hour.
  const daily = new Cron([...parts.slice(0, 3), '*', '*', '*'].join(' '), { timezone: 'UTC' })
  let before: Date | null = null
  for (const time of daily.nextRuns(timesLookedAt)) {
    const seconds = before === null ? leastSecondsBetween : (time.getTime() - before.getTime()) / 1000
    if (seconds < leastSecondsBetween) {
      return `"${expression}" comes ${count(seconds, 'second')} after the time before; the least is ${leastSecondsBetween}. For example: "*/30 * * * * *" is every 30 seconds.`
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
