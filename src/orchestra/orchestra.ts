import { type HttpServer, registerApi } from '#kernel/http'
import { createWorkerDirectory } from '#kernel/work'
import { orchestraEventSamples, orchestraEvents } from '#outbox'
import { addWebhookRoutes } from '#webhooks'
import { addAgentAnalyticsRoute } from './analytics/agent-analytics/route.ts'
import { addWorkflowMetricsRoute } from './analytics/workflow-metrics/route.ts'
import { defineOrchestraApi, orchestraPrefix } from './api.ts'
import { addExecuteRoute } from './executions/execute-route.ts'
import { addCancelRoute, addStatusRoute } from './executions/status-routes.ts'
import { addLiveStreamRoute } from './live-stream/route.ts'
import { addHealthRoute } from './monitoring/health/route.ts'
import { addLiveStatusRoute } from './monitoring/live-status/route.ts'
import { addPerformanceRoute } from './monitoring/performance/route.ts'
import { addQuotaRoutes } from './quotas/routes.ts'
import { addRecommendRoute } from './recommend/route.ts'
import type { OrchestraOptions } from './route-options.ts'
import { addAgentRoutes } from './routes/agents/routes.ts'
import { createContentOf } from './workflows/build-definition.ts'
import { addReadRoutes } from './workflows/read-routes.ts'
import { addSaveRoutes } from './workflows/save-routes.ts'

/** The Orchestra API. */
export interface Orchestra {
  /** Registers the API with its routes. */
  readonly register: (app: HttpServer) => Promise<void>
}

/** Creates the Orchestra API. It throws nothing; its routes do. */
export function createOrchestra(options: OrchestraOptions): Orchestra {
  const { publicUrl, tiers, idempotency } = options
  return {
    register: (app) =>
      registerApi(app, defineOrchestraApi(publicUrl, tiers.requestsPerHour), (routes) => {
        idempotency.watch(routes)
        addExecuteRoute(routes, options)
        addStatusRoute(routes, options)
        addCancelRoute(routes, options)
        addReadRoutes(routes, options)
        addSaveRoutes(routes, { engine: options.engine, contentOf: createContentOf(options.agents) })
        addAgentRoutes(routes, options)
        addQuotaRoutes(routes, options)
        addMonitoringRoutes(routes, options)
        addWorkflowMetricsRoute(routes, options)
        addAgentAnalyticsRoute(routes, options)
        addRecommendRoute(routes, options)
        addEventRoutes(routes, options)
      }),
  }
}

/** The live stream and the webhooks of this API. */
function addEventRoutes(routes: HttpServer, options: OrchestraOptions): void {
  const { requestsPerHour } = options.tiers
  addLiveStreamRoute(routes, options)
  addWebhookRoutes(routes, {
    ...options,
    prefix: orchestraPrefix,
    api: 'orchestra',
    events: orchestraEvents,
    samples: orchestraEventSamples,
    rates: { reads: requestsPerHour, sends: requestsPerHour },
  })
}

/** Live status, health and performance of the platform. */
function addMonitoringRoutes(routes: HttpServer, options: OrchestraOptions): void {
  const { database, engine } = options
  const monitoring = {
    ...options,
    activity: engine.activity,
    workers: createWorkerDirectory(database),
  }
  addLiveStatusRoute(routes, monitoring)
  addHealthRoute(routes, monitoring)
  addPerformanceRoute(routes, monitoring)
}
