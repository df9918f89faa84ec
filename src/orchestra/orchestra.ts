import { type HttpServer, registerApi } from '#kernel/http'
import { addAgentAnalyticsRoute } from './analytics/agent-analytics/route.ts'
import { addWorkflowMetricsRoute } from './analytics/workflow-metrics/route.ts'
import { defineOrchestraApi } from './api.ts'
import { addCancelRoute } from './executions/cancel-route.ts'
import { addExecuteRoute } from './executions/execute-route.ts'
import { addStatusRoute } from './executions/status-route.ts'
import { addMonitoringRoutes } from './monitoring/routes.ts'
import { addQuotaRoutes } from './quotas/routes.ts'
import { addRecommendRoute } from './recommend/route.ts'
import type { OrchestraOptions } from './route-options.ts'
import { addAgentRoutes } from './routes/agents/routes.ts'
import { addEventRoutes } from './webhook-routes.ts'
import { createContentOf } from './workflows/content-of.ts'
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
