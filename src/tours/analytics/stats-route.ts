import { Type } from 'typebox'
import type { Database } from '#kernel/database'
import type { HttpServer } from '#kernel/http'
import type { ToursOptions } from '../route-options.ts'
import { successResponse } from '../routes/schemas.ts'
import { may } from '../routes/shared.ts'
import { bounds } from '../tour.ts'

const maxTours = 200

interface StatsRow {
  readonly id: string
  readonly views: number
  readonly starts: number
  readonly completions: number
}

/** The key stats of many tours in one request, for lists of tours. */
export function addStatsRoute(routes: HttpServer, { database }: Pick<ToursOptions, 'database'>): void {
  routes.get(
    '/tours/numbers',
    {
      config: { access: may.seeAnalytics },
      schema: {
        operationId: 'readTourNumbers',
        summary: 'Get stats of tours',
        description: 'Views, starts and completions of several tours in the last 30 days.',
        querystring: Type.Object({
          tours: Type.String({
            maxLength: maxTours * (bounds.id + 1),
            description: `Ids of the tours, separated by commas; at most ${maxTours}.`,
          }),
        }),
        response: {
          200: successResponse(
            {
              tours: Type.Array(
                Type.Object({
                  id: Type.String(),
                  views: Type.Integer(),
                  starts: Type.Integer(),
                  completions: Type.Integer(),
                  completion_rate: Type.Unsafe<number | null>({ type: 'number', nullable: true }),
                }),
                { description: 'The tours that had visitors.' },
              ),
            },
            'The stats.',
          ),
        },
      },
    },
    async ({ query }, reply) => {
      const rows = await readStats(database, query.tours.split(',', maxTours))
      const tours = rows.map((row) => ({
        ...row,
        // A play can start before the first day and end after it, so completions may exceed starts.
        completion_rate:
          row.starts === 0 ? null : Math.min(100, Math.round((row.completions / row.starts) * 10_000) / 100),
      }))
      return reply.header('cache-control', 'no-store').send({ success: true, tours })
    },
  )
}

async function readStats(database: Pick<Database, 'query'>, ids: readonly string[]): Promise<StatsRow[]> {
  return await database.query<StatsRow>(
    `
      select tour_id as id, sum(views)::int as views, sum(starts)::int as starts, sum(completions)::int as completions
      from tour_days
      where tour_id = any ($1) and day > (now() at time zone 'utc')::date - 30
      group by tour_id
      order by tour_id
    `,
    [ids],
  )
}
