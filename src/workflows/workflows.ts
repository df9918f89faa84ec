import { addConnectionRoutes } from '#connections'
import { readRate } from '#executions-api'
import { type HttpServer, registerApi } from '#kernel/http'
import { workflowsEvents } from '#outbox'
import { addWebhookRoutes } from '#webhooks'
import { defineWorkflowsApi, workflowsPrefix } from './api.ts'
import type { WorkflowsOptions } from './route-options.ts'
import { addAnalyticsRoutes } from './routes/analytics/routes.ts'
import { addControlRoutes } from './routes/control/control-routes.ts'
import { addExecuteRoutes, addTryRoute } from './routes/executions/execute.ts'
import { addLogsRoute, addStatusRoute, addStreamRoute } from './routes/executions/monitor.ts'
import { addListRoute, addReadRoute } from './routes/executions/read.ts'
import { addTraceRoutes } from './routes/executions/trace.ts'
import { addFlowRoutes } from './routes/flows/routes.ts'
import { addRecommendRoutes } from './routes/recommend/routes.ts'
import { addScheduleRoutes } from './routes/schedules/routes.ts'

/** The Workflows API. */
export interface Workflows {
  /** Registers the API with its routes. */
  readonly register: (app: HttpServer) => Promise<void>
}

/** Creates the Workflows API. */
export function createWorkflows(options: WorkflowsOptions): Workflows {
  return {
    register: (app) =>
      registerApi(app, defineWorkflowsApi(options.publicUrl), (routes) => {
        options.idempotency.watch(routes)
        addExecuteRoutes(routes, options)
        addControlRoutes(routes, options)
        addStatusRoute(routes, options)
        addListRoute(routes, options)
        addReadRoute(routes, options)
        addLogsRoute(routes, options)
        addStreamRoute(routes, options)
        addTraceRoutes(routes, options)
        addTryRoute(routes, options)
        addFlowRoutes(routes, options)
        addRecommendRoutes(routes, options)
        addScheduleRoutes(routes, options)
        addAnalyticsRoutes(routes, options.engine)
        addConnectionRoutes(routes, {
          connections: options.connections,
          prefix: workflowsPrefix,
          findFlows: (part, name) => options.engine.flows.naming(part, name),
          rates: { reads: readRate, sends: options.tiers.requestsPerHour },
        })
        addWebhookRoutes(routes, {
          ...options,
          prefix: workflowsPrefix,
          api: 'workflows',
          events: workflowsEvents,
          rates: { reads: readRate, sends: options.tiers.requestsPerHour },
        })
      }),
  }
}
