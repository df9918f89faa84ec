/** A named range of time, up to now or of one day. */
export const rangeNames = ['1h', '24h', 'today', 'yesterday', '7d', '30d'] as const

export type RangeName = (typeof rangeNames)[number]

/** A range as the address has it: a name, or times of its own. Without any of them it is all time. */
export interface TimeRange {
  readonly range?: RangeName
  /** ISO 8601. */
  readonly from?: string
  readonly to?: string
}

const hour = 3_600_000

/** The bounds of a range at a moment, for the API. Days begin in the time zone of the browser. */
export function resolveRange(
  { range, from, to }: TimeRange,
  now: Date,
): { readonly since?: string; readonly until?: string } {
  const back = (ms: number) => ({ since: new Date(now.getTime() - ms).toISOString() })
  switch (range) {
    case '1h':
      return back(hour)
    case '24h':
      return back(24 * hour)
    case '7d':
      return back(7 * 24 * hour)
    case '30d':
      return back(30 * 24 * hour)
    case 'today':
      return { since: startOfDay(now, 0).toISOString() }
    case 'yesterday':
      return { since: startOfDay(now, -1).toISOString(), until: startOfDay(now, 0).toISOString() }
    default:
      return { ...(from === undefined ? {} : { since: from }), ...(to === undefined ? {} : { until: to }) }
  }
}

function startOfDay(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days)
}

/** Reads a range of the address and drops invalid values; a name wins over times. */
export function readRange(address: Record<string, unknown>): TimeRange {
  const range = rangeNames.find((name) => name === address['range'])
  if (range !== undefined) return { range }
  const [from, to] = [readMoment(address['from']), readMoment(address['to'])]
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

function readMoment(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const at = new Date(value)
  const year = at.getUTCFullYear()
  return Number.isNaN(year) || year < 1970 || year > 9999 ? undefined : at.toISOString()
}
