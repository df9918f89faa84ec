import { Type } from 'typebox'
import type { Database } from '#kernel/database'
import type { HttpServer } from '#kernel/http'
import { toursPath } from '../api.ts'
import type { ToursOptions } from '../route-options.ts'
import { successResponse, tourParams } from '../routes/schemas.ts'
import { dataHeaders, may } from '../routes/shared.ts'
import { readTour } from '../store/read-tours.ts'
import type { Tour } from '../tour.ts'
import { dayOf } from './play.ts'

const countField = (description: string) => Type.Integer({ description })
const nullableNumber = (description: string) =>
  Type.Unsafe<number | null>({ type: 'number', nullable: true, description })

const totals = Type.Object({
  views: countField('Times the first step appeared.'),
  starts: countField('Times a visitor continued from the first step.'),
  completions: countField('Times a visitor finished the tour.'),
  dismissals: countField('Times a visitor closed the tour before its end.'),
  completion_rate: nullableNumber('Completions in percent of starts; null without starts.'),
  average_duration: nullableNumber('Average seconds of completed plays; null when unknown.'),
  average_dismissal_duration: nullableNumber('Average seconds of dismissed plays; null when unknown.'),
})

const step = Type.Object({
  id: Type.String(),
  label: Type.String(),
  weight: countField('Position of the step, from 1.'),
  views: countField('Times the step appeared.'),
  completions: countField('Times a visitor continued from the step.'),
  drop_offs: countField(
    'Times the step was the last one seen: the visitor closed the tour, or sent no event for 30 minutes.',
  ),
  drop_off_rate: nullableNumber('Drop-offs in percent of views; null without views.'),
  average_time: nullableNumber('Average seconds until a visitor continued; null when unknown.'),
})

const DailyStats = Type.Object({
  date: Type.String({ format: 'date', description: 'Day in UTC.' }),
  views: Type.Integer(),
  starts: Type.Integer(),
  completions: Type.Integer(),
  dismissals: Type.Integer(),
})

/** The analytics of one tour. */
export function addAnalyticsRoute(routes: HttpServer, { database }: Pick<ToursOptions, 'database'>): void {
  routes.get(
    `${toursPath}/:tour/analytics`,
    {
      config: { access: may.seeAnalytics },
      schema: {
        operationId: 'readTourAnalytics',
        summary: 'Get tour analytics',
        description: 'Totals, stats of each step and daily counts of a tour.',
        params: tourParams,
        querystring: Type.Object({
          timeframe: Type.Enum([...timeframes], {
            default: '30d',
            description: 'Number of days including today; `all`: since the first event.',
          }),
        }),
        response: {
          200: successResponse(
            {
              tour_id: Type.String(),
              timeframe: Type.Enum([...timeframes]),
              totals,
              steps: Type.Array(step, { description: 'The current steps of the tour.' }),
              daily: Type.Array(DailyStats, { description: 'Every day, oldest first.' }),
            },
            'The analytics.',
          ),
        },
      },
    },
    async ({ params, query }, reply) => {
      const tour = await readTour(database, params.tour)
      const analytics = await readAnalytics(database, tour, query.timeframe)
      return reply.headers(dataHeaders).send({ success: true, ...analytics })
    },
  )
}

const timeframes = ['7d', '30d', '90d', 'all'] as const
type Timeframe = (typeof timeframes)[number]

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

/** Reads the analytics of a tour by days in UTC, including today. */
async function readAnalytics(
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

/** Percent, at most 100: a play can start before the first day and end after it. */
function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.min(100, Math.round((part / whole) * 10_000) / 100)
}

function mean(sum: number, count: number): number | null {
  return count === 0 ? null : Math.round((sum / count) * 100) / 100
}

/** Adds the days without events, so that a chart has an entry for every day. */
function fillDays(rows: readonly DayRow[], since: string | null, today: Date) {
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
