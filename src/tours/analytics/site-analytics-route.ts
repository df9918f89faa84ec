import { Type } from 'typebox'
import type { Database } from '#kernel/database'
import type { HttpServer } from '#kernel/http'
import type { ToursOptions } from '../route-options.ts'
import { successResponse } from '../routes/schemas.ts'
import { may } from '../routes/shared.ts'
import { readSiteById } from '../sites/site-store.ts'
import {
  DailyStats,
  type DayRow,
  fillDays,
  firstDayOf,
  summedColumns,
  type Timeframe,
  Totals,
  timeframes,
  totalsOf,
} from './day-stats.ts'

/** More tours of a site are counted in the totals only. */
const maxTours = 200

/** The analytics of all tours of a site. */
export function addSiteAnalyticsRoute(
  routes: HttpServer,
  { database }: Pick<ToursOptions, 'database'>,
): void {
  routes.get(
    '/tours/sites/:site/analytics',
    {
      config: { access: may.seeAnalytics },
      schema: {
        operationId: 'readTourSiteAnalytics',
        summary: 'Get analytics of a site',
        description:
          'Totals and daily counts of all tours that belong to the site now, and the totals of each tour that had visitors.',
        params: Type.Object({
          site: Type.String({ maxLength: 255, description: 'The machine name of the site.' }),
        }),
        querystring: Type.Object({
          timeframe: Type.Enum([...timeframes], {
            default: '30d',
            description: 'Number of days including today; `all`: since the first event.',
          }),
        }),
        response: {
          200: successResponse(
            {
              site: Type.String(),
              timeframe: Type.Enum([...timeframes]),
              totals: Totals,
              tours: Type.Array(Type.Object({ id: Type.String(), label: Type.String(), totals: Totals }), {
                description: `Most views first; at most ${maxTours}.`,
              }),
              daily: Type.Array(DailyStats, { description: 'Every day, oldest first.' }),
            },
            'The analytics.',
          ),
        },
      },
    },
    async ({ params, query }, reply) => {
      const { id } = await readSiteById(database, params.site)
      const analytics = await readSiteAnalytics(database, id, query.timeframe)
      return reply.header('cache-control', 'no-store').send({ success: true, ...analytics })
    },
  )
}

async function readSiteAnalytics(
  database: Pick<Database, 'query'>,
  site: string,
  timeframe: Timeframe,
  today: Date = new Date(),
) {
  const since = firstDayOf(timeframe, today)
  const from = `
    from tour_days join tours on tours.id = tour_days.tour_id
    where tours.site_id = $1 and ($2::date is null or day >= $2)
  `
  const [byDay, byTour] = await Promise.all([
    database.query<DayRow>(`select day::text, ${summedColumns} ${from} group by day order by day`, [
      site,
      since,
    ]),
    database.query<Omit<DayRow, 'day'> & { id: string; label: string }>(
      `
        select tours.id, tours.label, ${summedColumns} ${from}
        group by tours.id, tours.label
        order by views desc, tours.id
        limit ${maxTours}
      `,
      [site, since],
    ),
  ])
  return {
    site,
    timeframe,
    totals: totalsOf(byDay),
    tours: byTour.map(({ id, label, ...counts }) => ({ id, label, totals: totalsOf([counts]) })),
    daily: fillDays(byDay, since, today),
  }
}
