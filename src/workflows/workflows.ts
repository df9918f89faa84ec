import { addConnectionRoutes } from '#connections'
import { readRate } from '#executions-api'
import { type HttpServer, registerApi } from '#kernel/http'
import { workflowsEventSamples, workflowsEvents } from '#outbox'
import { addTriggerRoutes } from '#triggers'
import { addWebhookRoutes } from '#webhooks'
import { defineWorkflowsApi, workflowsPrefix } from './api.ts'
import type { WorkflowsOptions } from './route-options.ts'
import { addAnalyticsRoutes } from './routes/analytics/routes.ts'
import { addControlRoutes } from './routes/control/control-routes.ts'
import { addEventRoutes } from './routes/events/routes.ts'
import { addBulkRoutes } from './routes/executions/bulk.ts'
import { addExecuteRoutes, addTryRoute } from './routes/executions/execute.ts'
import { addExportRoute } from './routes/executions/export.ts'
import { addListRoutes } from './routes/executions/list.ts'
import { addLogsRoute, addStatusRoute, addStreamRoute } from './routes/executions/monitor.ts'
import { addReadRoute } from './routes/executions/read.ts'
import { addTraceRoutes } from './routes/executions/trace.ts'
import { addFlowTestRoutes } from './routes/flow-tests/routes.ts'
import { addFlowRoutes } from './routes/flows/routes.ts'
import { addHumanTaskRoutes } from './routes/human-tasks/routes.ts'
import { addOverviewRoute } from './routes/overview.ts'
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
        addListRoutes(routes, options)
        addExportRoute(routes, options)
        addBulkRoutes(routes, options)
        addReadRoute(routes, options)
        addLogsRoute(routes, options)
        addStreamRoute(routes, options)
        addTraceRoutes(routes, options)
        addTryRoute(routes, options)
        addFlowRoutes(routes, options)
        addFlowTestRoutes(routes, options)
        addOverviewRoute(routes, options)
        addRecommendRoutes(routes, options)
        addScheduleRoutes(routes, options)
        addTriggerRoutes(routes, { ...options, prefix: workflowsPrefix })
        addAnalyticsRoutes(routes, options.engine)
        addConnectionRoutes(routes, {
          connections: options.connections,
          prefix: workflowsPrefix,
          findFlows: (part, name) => options.engine.flows.naming(part, name),
          rates: { reads: readRate, sends: options.tiers.requestsPerHour },
        })
        addEventRoutes(routes, options)
        addHumanTaskRoutes(routes, options)
        addWebhookRoutes(routes, {
          ...options,
          prefix: workflowsPrefix,
          api: 'workflows',
          events: workflowsEvents,
          samples: workflowsEventSamples,
          rates: { reads: readRate, sends: options.tiers.requestsPerHour },
        })
      }),
  }
}
