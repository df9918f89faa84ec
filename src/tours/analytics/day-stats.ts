import { Type } from 'typebox'
import { dayOf } from './play.ts'

export const countField = (description: string) => Type.Integer({ description })
export const nullableNumber = (description: string) =>
  Type.Unsafe<number | null>({ type: 'number', nullable: true, description })

export const Totals = Type.Object({
  views: countField('Times the first step appeared.'),
  starts: countField('Times a visitor continued from the first step.'),
  completions: countField('Times a visitor finished the tour.'),
  dismissals: countField('Times a visitor closed the tour before its end.'),
  completion_rate: nullableNumber('Completions in percent of starts; null without starts.'),
  average_duration: nullableNumber('Average seconds of completed plays; null when unknown.'),
  average_dismissal_duration: nullableNumber('Average seconds of dismissed plays; null when unknown.'),
})

export const DailyStats = Type.Object({
  date: Type.String({ format: 'date', description: 'Day in UTC.' }),
  views: Type.Integer(),
  starts: Type.Integer(),
  completions: Type.Integer(),
  dismissals: Type.Integer(),
})

export const timeframes = ['7d', '30d', '90d', 'all'] as const
export type Timeframe = (typeof timeframes)[number]

const daysOf: Readonly<Record<Timeframe, number | null>> = { '7d': 7, '30d': 30, '90d': 90, all: null }

/** The first day of a timeframe in UTC, which includes today; null: all days. */
export function firstDayOf(timeframe: Timeframe, today: Date): string | null {
  const days = daysOf[timeframe]
  return days === null ? null : dayOf(addDays(today, 1 - days))
}

/** The columns of `tour_days` that the stats need, added up. */
export const summedColumns = `
  sum(views)::int as views, sum(starts)::int as starts, sum(completions)::int as completions,
  sum(dismissals)::int as dismissals, sum(completion_seconds) as completion_seconds,
  sum(completions_timed)::int as completions_timed, sum(dismissal_seconds) as dismissal_seconds,
  sum(dismissals_timed)::int as dismissals_timed
`

export interface DayRow {
  readonly day: string
  readonly views: number
  readonly starts: number
  readonly completions: number
  readonly dismissals: number
  readonly completion_seconds: number
  readonly completions_timed: number
  readonly dismissal_seconds: number
  readonly dismissals_timed: number
}

export function totalsOf(rows: readonly Omit<DayRow, 'day'>[]) {
  const sum = (name: Exclude<keyof DayRow, 'day'>) => rows.reduce((total, row) => total + row[name], 0)
  const starts = sum('starts')
  const completions = sum('completions')
  return {
    views: sum('views'),
    starts,
    completions,
    dismissals: sum('dismissals'),
    completion_rate: rate(completions, starts),
    average_duration: mean(sum('completion_seconds'), sum('completions_timed')),
    average_dismissal_duration: mean(sum('dismissal_seconds'), sum('dismissals_timed')),
  }
}

/** Percent, at most 100: a play can start before the first day and end after it. */
export function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.min(100, Math.round((part / whole) * 10_000) / 100)
}

export function mean(sum: number, count: number): number | null {
  return count === 0 ? null : Math.round((sum / count) * 100) / 100
}

/** Adds the days without events, so that a chart has an entry for every day. */
export function fillDays(rows: readonly DayRow[], since: string | null, today: Date) {
  const rowsByDay = new Map(rows.map((row) => [row.day, row]))
  const last = dayOf(today)
  const daily: { date: string; views: number; starts: number; completions: number; dismissals: number }[] = []
  for (let day = new Date(since ?? rows[0]?.day ?? last); dayOf(day) <= last; day = addDays(day, 1)) {
    const { views = 0, starts = 0, completions = 0, dismissals = 0 } = rowsByDay.get(dayOf(day)) ?? {}
    daily.push({ date: dayOf(day), views, starts, completions, dismissals })
  }
  return daily
}

function addDays(time: Date, days: number): Date {
  return new Date(time.getTime() + days * 86_400_000)
}
