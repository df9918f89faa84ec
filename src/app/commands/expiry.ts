import { UserError } from '#kernel/errors'

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 }

/** Parses the time of expiry: `12h`, `30d`, a date (midnight UTC), or a time with its time zone. */
export function readExpiry(text: string, now = Date.now()): Date {
  const at = readMoment(text, now)
  if (at === undefined) {
    throw new UserError(
      `--expires must be a time from now such as 12h or 30d, or a date such as 2031-12-31 or 2031-12-31T18:00Z, not "${text}".`,
    )
  }
  if (at <= now) throw new UserError(`--expires must be in the future, not ${text}.`)
  return new Date(at)
}

function readMoment(text: string, now: number): number | undefined {
  const [, amount, unit] = /^(\d{1,6})([hd])$/.exec(text) ?? []
  if (amount !== undefined && unit !== undefined) return now + Number(amount) * (unitMs[unit] ?? 0)
  return readDate(text)
}

/** The parsed date has to equal the text: JavaScript reads the 31st of February as the 3rd of March. */
function readDate(text: string): number | undefined {
  const [, day] =
    /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(text) ?? []
  if (day === undefined) return undefined
  const [midnight, moment] = [Date.parse(day), Date.parse(text)]
  if (Number.isNaN(midnight) || Number.isNaN(moment)) return undefined
  return new Date(midnight).toISOString().startsWith(day) ? moment : undefined
}
