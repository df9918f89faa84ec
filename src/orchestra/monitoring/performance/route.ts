import type { HttpServer } from '#kernel/http'
import { epochSeconds, seesAnalytics } from '#runs'
import { orchestraPrefix } from '../../interface.ts'
import type { Watched } from '../options.ts'
import { describeMetrics, describeSeries, describeTrends } from './describe.ts'
import { readFigures } from './figures.ts'
import { predict, readHours } from './predictions.ts'
import { PerformanceQuery, readGranularity, readParts } from './query.ts'
import { recommend } from './recommendations.ts'
import { Performance } from './shape.ts'

/** How the platform does. */
export function addPerformanceRoute(routes: HttpServer, watched: Watched): void {
  routes.get(
    `${orchestraPrefix}/metrics/performance`,
    {
      config: { access: seesAnalytics },
      schema: {
        operationId: 'readPerformance',
        summary: 'See how the platform does',
        description:
          'Response times, throughput, errors and resources, compared with the time before, and what the next hours are likely to bring. Read from sums that are kept, so it takes no longer after a million requests.',
        querystring: PerformanceQuery,
        response: { 200: Performance },
      },
    },
    async ({ query }, reply) => {
      const now = new Date()
      const { timeframe } = query
      const granularity = readGranularity(query)
      const parts = readParts(query)
      const [figures, hours] = await Promise.all([
        readFigures(watched, { timeframe, granularity, now }),
        query.include_predictions ? readHours(watched.vitals, now) : undefined,
      ])
      return reply.header('cache-control', 'no-store').send({
        metrics: describeMetrics(figures, parts),
        trends: describeTrends(figures),
        timeseries: describeSeries(figures, granularity),
        predictions: hours === undefined ? null : predict(hours, now),
        recommendations: [...recommend(figures)],
        timeframe,
        granularity,
        generated_at: epochSeconds(now),
      })
    },
  )
}
