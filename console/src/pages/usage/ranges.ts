const dayMs = 86_400_000

/** The time ranges in the URL. Days are in UTC, like budgets. */
export const ranges = [
  { name: 'today', days: 1, title: 'Today' },
  { name: '7d', days: 7, title: '7 days' },
  { name: '30d', days: 30, title: '30 days' },
  { name: '90d', days: 90, title: '90 days' },
] as const

export type RangeName = (typeof ranges)[number]['name']

export const usualRange: RangeName = '30d'

/** The first and last day of a range, both included. */
export interface Days {
  readonly from: string
  readonly to: string
}

export function readRange(value: unknown): RangeName | undefined {
  return ranges.find(({ name }) => name === value && name !== usualRange)?.name
}

/** The days of a range that ends with the given day. */
export function daysOf(range: RangeName, to: string): Days {
  const days = ranges.find(({ name }) => name === range)?.days ?? 1
  return { from: dayOf(new Date(Date.parse(to) - (days - 1) * dayMs)), to }
}

/** As many days, right before the given ones. */
export function daysBefore({ from, to }: Days): Days {
  const first = Date.parse(from)
  return {
    from: dayOf(new Date(first - (Date.parse(to) - first) - dayMs)),
    to: dayOf(new Date(first - dayMs)),
  }
}

/** All days from one to another, both included. */
export function listDays({ from, to }: Days): readonly string[] {
  const first = Date.parse(from)
  const count = Math.max(0, Math.round((Date.parse(to) - first) / dayMs) + 1)
  return Array.from({ length: count }, (_, index) => dayOf(new Date(first + index * dayMs)))
}

export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}
