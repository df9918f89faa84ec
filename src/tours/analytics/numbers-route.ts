import { Type } from 'typebox'
import type { Database } from '#kernel/database'
import type { HttpServer } from '#kernel/http'
import type { ToursOptions } from '../route-options.ts'
import { may } from '../routes/access.ts'
import { succeeded } from '../routes/requests.ts'
import { bounds } from '../tour.ts'

const mostTours = 200

interface NumbersRow {
  readonly id: string
  readonly views: number
  readonly starts: number
  readonly completions: number
}

/** A few numbers of many tours at once, for lists of them. */
export function addNumbersRoute(routes: HttpServer, { database }: Pick<ToursOptions, 'database'>): void {
  routes.get(
    '/tours/numbers',
    {
      config: { access: may.seeAnalytics },
      schema: {
        operationId: 'readTourNumbers',
        summary: 'How several tours did in the last 30 days',
        querystring: Type.Object({
          tours: Type.String({
            maxLength: mostTours * (bounds.id + 1),
            description: `Their ids, separated by commas; at most ${mostTours}.`,
          }),
        }),
        response: {
          200: succeeded(
            {
              tours: Type.Array(
                Type.Object({
                  id: Type.String(),
                  views: Type.Integer(),
                  starts: Type.Integer(),
                  completions: Type.Integer(),
                  completion_rate: Type.Unsafe<number | null>({ type: 'number', nullable: true }),
                }),
                { description: 'Those that were seen.' },
              ),
            },
            'Numbers.',
          ),
        },
      },
    },
    async ({ query }, reply) => {
      const rows = await readNumbers(database, query.tours.split(',', mostTours))
      const tours = rows.map((row) => ({
        ...row,
        // What began before the first day may end after it.
        completion_rate:
          row.starts === 0 ? null : Math.min(100, Math.round((row.completions / row.starts) * 10_000) / 100),
      }))
      return reply.header('cache-control', 'no-store').send({ success: true, tours })
    },
  )
}

async function readNumbers(database: Pick<Database, 'query'>, ids: readonly string[]): Promise<NumbersRow[]> {
  return await database.query<NumbersRow>(
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
