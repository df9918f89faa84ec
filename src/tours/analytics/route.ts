import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { toursPath } from '../interface.ts'
import type { ToursOptions } from '../route-options.ts'
import { may } from '../routes/access.ts'
import { dataHeaders } from '../routes/data-headers.ts'
import { succeeded, tourParams } from '../routes/requests.ts'
import { readTour } from '../store/read-tours.ts'
import { readAnalytics, timeframes } from './read-analytics.ts'

const count = (description: string) => Type.Integer({ description })
const maybe = (description: string) =>
  Type.Unsafe<number | null>({ type: 'number', nullable: true, description })

const totals = Type.Object({
  views: count('How often its first step appeared.'),
  starts: count('How often visitors went on from it.'),
  completions: count('How often they came to the end.'),
  dismissals: count('How often they ended it before.'),
  completion_rate: maybe('Completions of 100 starts; null without any.'),
  average_duration: maybe('Seconds of the plays that came to the end; null when nobody told.'),
  average_dismissal_duration: maybe('Seconds of the plays that were ended before; null when nobody told.'),
})

const step = Type.Object({
  id: Type.String(),
  label: Type.String(),
  weight: count('Its place, from 1.'),
  views: count('How often it appeared.'),
  completions: count('How often visitors went on from it.'),
  drop_offs: count(
    'How often it was the last they saw: they ended the tour, or were not heard of for 30 minutes.',
  ),
  drop_off_rate: maybe('Drop-offs of 100 views; null without any.'),
  average_time: maybe('Seconds until visitors went on; null when nobody told.'),
})

const daily = Type.Object({
  date: Type.String({ format: 'date', description: 'In UTC.' }),
  views: Type.Integer(),
  starts: Type.Integer(),
  completions: Type.Integer(),
  dismissals: Type.Integer(),
})

/** What visitors did with a tour. */
export function addAnalyticsRoute(routes: HttpServer, { database }: Pick<ToursOptions, 'database'>): void {
  routes.get(
    `${toursPath}/:tour/analytics`,
    {
      config: { access: may.seeAnalytics },
      schema: {
        operationId: 'readTourAnalytics',
        summary: 'What visitors did with a tour',
        params: tourParams,
        querystring: Type.Object({
          timeframe: Type.Enum([...timeframes], {
            default: '30d',
            description: 'How many days, with today; `all` from the first one.',
          }),
        }),
        response: {
          200: succeeded(
            {
              tour_id: Type.String(),
              timeframe: Type.Enum([...timeframes]),
              totals,
              steps: Type.Array(step, { description: 'The steps the tour has now.' }),
              daily: Type.Array(daily, { description: 'Every day, the oldest first.' }),
            },
            'Numbers of a tour.',
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
