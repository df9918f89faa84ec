import type { HttpServer } from '#kernel/http'
import { addWebhookRoutes } from '#webhooks'
import { orchestraPrefix } from '../interface.ts'
import type { OrchestraOptions } from '../route-options.ts'
import { orchestraEvents } from './event-names.ts'
import { addLiveStreamRoute } from './live/route.ts'

/** How others hear what happens: the live stream, and webhooks. */
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
