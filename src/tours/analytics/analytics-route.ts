import { Type } from 'typebox'
import type { Database } from '#kernel/database'
import type { HttpServer } from '#kernel/http'
import { toursPath } from '../api.ts'
import type { ToursOptions } from '../route-options.ts'
import { successResponse, tourParams } from '../routes/schemas.ts'
import { dataHeaders, may } from '../routes/shared.ts'
import { readTour } from '../store/read-tours.ts'
import type { Tour } from '../tour.ts'
import {
  countField,
  DailyStats,
  type DayRow,
  fillDays,
  firstDayOf,
  mean,
  nullableNumber,
  rate,
  type Timeframe,
  Totals,
  timeframes,
  totalsOf,
} from './day-stats.ts'

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
  missing: countField('Times the element of the step did not appear.'),
  average_time: nullableNumber('Average seconds until a visitor continued; null when unknown.'),
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
              totals: Totals,
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

interface StepRow {
  readonly step_id: string
  readonly views: number
  readonly completions: number
  readonly drop_offs: number
  readonly missing: number
  readonly seconds: number
  readonly timed: number
}

/** Reads the analytics of a tour by days in UTC, including today. */
export async function readAnalytics(
  database: Pick<Database, 'query'>,
  { id, tips }: Pick<Tour, 'id' | 'tips'>,
  timeframe: Timeframe,
  today: Date = new Date(),
) {
  const since = firstDayOf(timeframe, today)
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
          sum(drop_offs)::int as drop_offs, sum(missing)::int as missing, sum(seconds) as seconds, sum(timed)::int as timed
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

function stepOf({ id, label, weight }: Tour['tips'][number], rows: readonly StepRow[]) {
  const row = rows.find(({ step_id }) => step_id === id)
  const { views = 0, completions = 0, drop_offs = 0, missing = 0, seconds = 0, timed = 0 } = row ?? {}
  return {
    id,
    label,
    weight,
    views,
    completions,
    drop_offs,
    drop_off_rate: rate(drop_offs, views),
    missing,
    average_time: mean(seconds, timed),
  }
}
