import { type HttpServer, registerApi } from '#kernel/http'
import type { RecurringTask } from '#kernel/work'
import { statusApi } from './api.ts'
import { createConfigStore } from './config/config-store.ts'
import { amountsOf } from './figures/cluster-counters.ts'
import { createReadHealth } from './health/health-report.ts'
import { createHistory } from './history/history.ts'
import { createIncidentDesk } from './incidents/desk.ts'
import { addIncidentRoutes } from './incidents/routes.ts'
import { createUsagePruneTask } from './interface-usage/prune.ts'
import { addInterfaceUsageRoutes } from './interface-usage/routes.ts'
import { createMcpServers } from './mcp-servers/mcp-servers.ts'
import { addMcpServerRoutes } from './mcp-servers/routes.ts'
import { createProbesFor } from './probes/probes.ts'
import { addPublicPageRoutes } from './public-page/routes.ts'
import type { StatusOptions } from './route-options.ts'
import { keepNoErrors } from './routes/answers.ts'
import { addConfigRoutes } from './routes/config.ts'
import { addHealthReportRoutes } from './routes/health.ts'
import { addHistoryRoutes } from './routes/history.ts'
import { addMetricsRoutes } from './routes/metrics.ts'
import { createProber } from './services/prober.ts'
import { createServices } from './services/services.ts'

/** Whether everything is well. */
export interface Status {
  /** Registers the interface with its routes. */
  readonly register: (app: HttpServer) => Promise<void>
  /** What one replica at a time does: probing, and keeping the tables small. */
  readonly tasks: readonly RecurringTask[]
}

/** Between two looks whether a round of probes is due: the interval between rounds can be changed while all runs. */
const tickMs = 5000

export function createStatus(options: StatusOptions): Status {
  const { database, events, idempotency, models, metricsHistory, pageKeepMs } = options
  const config = createConfigStore(options)
  const desk = createIncidentDesk(options)
  const mcpServers = createMcpServers({ ...options, config })
  const history = createHistory(options)
  const prober = createProber({
    database,
    events,
    config,
    probesFor: options.probesFor ?? createProbesFor({ ...options, mcp: mcpServers.service }),
    listeners: [desk.onRound],
    recordTraffic: (transaction, added) => metricsHistory.addWithin(transaction, amountsOf(added)),
    tickMs,
  })
  const services = createServices({ database, config, prober })
  const readHealth = createReadHealth({ services, config })
  return {
    register: (app) =>
      registerApi(app, statusApi, (routes) => {
        idempotency.watch(routes)
        keepNoErrors(routes)
        addHealthReportRoutes(routes, { ...options, readHealth, prober })
        addHistoryRoutes(routes, { history })
        addMetricsRoutes(routes, { metricsHistory, models })
        addConfigRoutes(routes, { ...options, config })
        addIncidentRoutes(routes, { incidents: desk.incidents, idempotency })
        addInterfaceUsageRoutes(routes, { database })
        addPublicPageRoutes(routes, {
          ...options,
          services,
          history,
          config,
          incidents: desk.incidents,
          ...(pageKeepMs !== undefined && { keepMs: pageKeepMs }),
        })
        addMcpServerRoutes(routes, { ...options, mcpServers })
      }),
    tasks: [
      { name: 'status.probe', everyMs: tickMs, run: (signal) => prober.tick(signal) },
      { name: 'status.clean-up', everyMs: 3_600_000, run: () => history.prune(new Date()) },
      mcpServers.task,
      ...desk.tasks,
      createUsagePruneTask(database),
    ],
  }
}
