import type { Database } from '#kernel/database'
import type { Tour } from '../tour.ts'
import { dayOf } from './play.ts'

export const timeframes = ['7d', '30d', '90d', 'all'] as const
export type Timeframe = (typeof timeframes)[number]

const daysOf: Readonly<Record<Timeframe, number | null>> = { '7d': 7, '30d': 30, '90d': 90, all: null }

interface DayRow {
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

interface StepRow {
  readonly step_id: string
  readonly views: number
  readonly completions: number
  readonly drop_offs: number
  readonly seconds: number
  readonly timed: number
}

/** What visitors did with a tour, by whole days in UTC, today with them. */
export async function readAnalytics(
  database: Pick<Database, 'query'>,
  { id, tips }: Pick<Tour, 'id' | 'tips'>,
  timeframe: Timeframe,
  today: Date = new Date(),
) {
  const days = daysOf[timeframe]
  const since = days === null ? null : dayOf(addDays(today, 1 - days))
  const [byDay, bySteps] = await Promise.all([
    database.query<DayRow>(
      `
        select day::text, views, starts, completions, dismissals, completion_seconds, completions_timed,
          dismissal_seconds, dismissals_timed
        from tour_days
        where tour_id = $1 and ($2::date is null or day >= $2)
        order by day
      `,
      [id, since],
    ),
    database.query<StepRow>(
      `
        select step_id, sum(views)::int as views, sum(completions)::int as completions,
          sum(drop_offs)::int as drop_offs, sum(seconds) as seconds, sum(timed)::int as timed
        from tour_step_days
        where tour_id = $1 and ($2::date is null or day >= $2)
        group by step_id
      `,
      [id, since],
    ),
  ])
  return {
    tour_id: id,
    timeframe,
    totals: totalsOf(byDay),
    steps: tips.map((tip) => stepOf(tip, bySteps)),
    daily: fillDays(byDay, since, today),
  }
}

function totalsOf(rows: readonly DayRow[]) {
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

function stepOf({ id, label, weight }: Tour['tips'][number], rows: readonly StepRow[]) {
  const row = rows.find(({ step_id }) => step_id === id)
  const { views = 0, completions = 0, drop_offs = 0, seconds = 0, timed = 0 } = row ?? {}
  return {
    id,
    label,
    weight,
    views,
    completions,
    drop_offs,
    drop_off_rate: rate(drop_offs, views),
    average_time: mean(seconds, timed),
  }
}

/** Percent. What began before the first day may end after it, so there can be more ends than beginnings. */
function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.min(100, Math.round((part / whole) * 10_000) / 100)
}

function mean(sum: number, count: number): number | null {
  return count === 0 ? null : Math.round((sum / count) * 100) / 100
}

/** Every day has an entry: a gap in a chart is a day without visitors, not one we know nothing about. */
function fillDays(rows: readonly DayRow[], since: string | null, today: Date) {
  const known = new Map(rows.map((row) => [row.day, row]))
  const last = dayOf(today)
  const daily: { date: string; views: number; starts: number; completions: number; dismissals: number }[] = []
  for (let day = new Date(since ?? rows[0]?.day ?? last); dayOf(day) <= last; day = addDays(day, 1)) {
    const { views = 0, starts = 0, completions = 0, dismissals = 0 } = known.get(dayOf(day)) ?? {}
    daily.push({ date: dayOf(day), views, starts, completions, dismissals })
  }
  return daily
}

function addDays(moment: Date, days: number): Date {
  return new Date(moment.getTime() + days * 86_400_000)
}
