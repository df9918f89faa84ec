import { type HttpServer, registerApi } from '#kernel/http'
import type { RecurringTask } from '#kernel/work'
import { statusApi } from './api.ts'
import { configChanged, createConfigStore } from './config/config-store.ts'
import { createReadHealth } from './health/health-report.ts'
import { createHistory } from './history/history.ts'
import { createAnnounce } from './incidents/announce.ts'
import { createOutageFollower } from './incidents/follow-outages.ts'
import { createIncidents } from './incidents/incidents.ts'
import { createIncidentTasks } from './incidents/maintenance.ts'
import { addIncidentRoutes } from './incidents/routes.ts'
import { addInterfaceUsageRoutes } from './interface-usage/routes.ts'
import { createUsagePruneTask } from './interface-usage/usage-store.ts'
import { createMcpServers } from './mcp-servers/mcp-servers.ts'
import { addMcpServerRoutes } from './mcp-servers/routes.ts'
import { createProbesFor } from './probes/probes.ts'
import { addPublicPageRoutes } from './public-page/routes.ts'
import { addConfigRoutes } from './routes/config.ts'
import { addHealthReportRoutes, addHistoryRoutes } from './routes/health.ts'
import { addMetricsRoutes } from './routes/metrics.ts'
import { preventErrorCaching } from './routes/shared.ts'
import { createProber } from './services/prober.ts'
import { createServices } from './services/services.ts'
import { amountsOf } from './stats/live-stats.ts'
import type { StatusOptions } from './status-options.ts'

/** The status module: probes, incidents, MCP servers, and their API. */
export interface Status {
  /** Registers the API with its routes. */
  readonly register: (app: HttpServer) => Promise<void>
  /** Recurring tasks, run by one replica at a time: probing and pruning. */
  readonly tasks: readonly RecurringTask[]
}

/** How often a tick checks whether a round is due: the interval between rounds can change at run time. */
const tickMs = 5000

/** Creates status monitoring: probes, history, incidents, MCP servers and the public status page. */
export function createStatus(options: StatusOptions): Status {
  const { database, events, idempotency, models, metricsHistory, pageKeepMs } = options
  const config = createConfigStore(options)
  const announce = createAnnounce(options)
  const incidents = createIncidents({ database, announce })
  const mcpServers = createMcpServers({ ...options, config })
  const history = createHistory(options)
  const prober = createProber({
    database,
    events,
    config,
    probesFor: options.probesFor ?? createProbesFor({ ...options, mcp: mcpServers.service }),
    listeners: [createOutageFollower(announce)],
    recordTraffic: (transaction, added) => metricsHistory.addWithin(transaction, amountsOf(added)),
    tickMs,
  })
  const services = createServices({ database, config, prober })
  const readHealth = createReadHealth({ services, config })
  return {
    register: (app) =>
      registerApi(app, statusApi, (routes) => {
        idempotency.watch(routes)
        preventErrorCaching(routes)
        addHealthReportRoutes(routes, { ...options, readHealth, prober })
        addHistoryRoutes(routes, { history })
        addMetricsRoutes(routes, { metricsHistory, models })
        addConfigRoutes(routes, { ...options, config })
        addIncidentRoutes(routes, { incidents, idempotency })
        addInterfaceUsageRoutes(routes, { database })
        addPublicPageRoutes(routes, {
          ...options,
          services,
          history,
          config,
          incidents,
          ...(pageKeepMs !== undefined && { keepMs: pageKeepMs }),
        })
        addMcpServerRoutes(routes, { ...options, mcpServers })
      }),
    tasks: [
      { name: 'status.probe', everyMs: tickMs, run: (signal) => prober.tick(signal) },
      { name: 'status.clean-up', everyMs: 3_600_000, run: () => history.prune(new Date()) },
      mcpServers.task,
      ...createIncidentTasks(database, announce),
      createUsagePruneTask(database),
    ],
  }
}

/** Event types that the audit log shows. */
export const statusOperatorEventTypes = [
  configChanged,
  'status.mcp_server_added',
  'status.mcp_server_changed',
  'status.mcp_server_removed',
] as const
