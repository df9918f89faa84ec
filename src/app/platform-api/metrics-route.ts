import { Type } from 'typebox'
import type { Access, HttpServer } from '#kernel/http'
import type { Metrics } from '#kernel/telemetry'

/** Serves the metrics of this process in Prometheus' text format. */
export function addMetricsRoute(routes: HttpServer, metrics: Metrics, access: Access): void {
  routes.get(
    '/metrics',
    {
      config: { access, neverShed: true },
      schema: {
        summary: 'Metrics in Prometheus text format',
        response: {
          200: { description: 'All metrics.', content: { 'text/plain': { schema: Type.String() } } },
        },
      },
    },
    async (_request, reply) => reply.type(metrics.contentType).send(await metrics.render()),
  )
}
