import type { HttpServer } from '#kernel/http'
import { addWebhookRoutes } from '#webhooks'
import { orchestraPrefix } from './api.ts'
import { addLiveStreamRoute } from './live-stream/route.ts'
import type { OrchestraOptions } from './route-options.ts'

/** The live stream and the webhooks of this API. */
export function addEventRoutes(routes: HttpServer, options: OrchestraOptions): void {
  const { requestsPerHour } = options.tiers
  addLiveStreamRoute(routes, options)
  addWebhookRoutes(routes, {
    ...options,
    prefix: orchestraPrefix,
    api: 'orchestra',
    events: orchestraEvents,
    rates: { reads: requestsPerHour, sends: requestsPerHour },
  })
}

/** The events that webhooks of this API can subscribe to. */
const orchestraEvents = [
  'workflow.completed',
  'workflow.failed',
  'agent.performance_alert',
  'system.cost_threshold',
] as const
