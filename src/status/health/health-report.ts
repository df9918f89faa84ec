import { isDatabaseUnavailable } from '#kernel/database'
import type { MetricsHistory, ProcessMetrics } from '#kernel/metrics-history'
import type { StatusConfig } from '../config/config.ts'
import type { ConfigStore } from '../config/config-store.ts'
import { describeBytes } from '../probes/bytes.ts'
import type { ServiceMetadata, ServiceName, ServiceReport, ServiceState } from '../services/service.ts'
import type { Services } from '../services/services.ts'
import { type Health, scoreHealth } from './score.ts'

/** The current health of all services. */
export interface HealthReport extends Health {
  readonly services: readonly ServiceReport[]
  readonly weights: StatusConfig['weights']
}

export type ReadHealth = () => Promise<HealthReport>

interface HealthOptions {
  readonly services: Services
  readonly config: Pick<ConfigStore, 'read'>
}

/** While the database is unavailable, returns the last known report with `database` offline. */
export function createReadHealth({ services, config }: HealthOptions): ReadHealth {
  let last: HealthReport | undefined

  return async () => {
    try {
      const [reports, { config: rules }] = await Promise.all([services.list(), config.read()])
      last = reportOf(reports, rules.weights)
      return last
    } catch (error) {
      if (last === undefined || !isDatabaseUnavailable(error)) throw error
      return reportOf(last.services.map(withoutDatabase), last.weights)
    }
  }
}

function reportOf(services: readonly ServiceReport[], weights: StatusConfig['weights']): HealthReport {
  return { ...scoreHealth(services, weights), services, weights }
}

function withoutDatabase(service: ServiceReport): ServiceReport {
  if (service.name !== 'database') return service
  const now = new Date()
  return {
    ...service,
    state: 'offline',
    since: service.state === 'offline' ? service.since : now,
    text: 'Unavailable.',
    responseTime: 0,
    lastCheck: now,
  }
}

/** Several services summarised as one. */
export interface AggregateReport
  extends Pick<ServiceReport, 'state' | 'text' | 'responseTime' | 'lastCheck' | 'since'> {
  readonly metadata: ServiceMetadata
}

interface AggregateOptions {
  readonly report: HealthReport
  readonly metricsHistory: Pick<MetricsHistory, 'now'>
  readonly version: string
}

const installationServices: ReadonlySet<ServiceName> = new Set(['database', 'queue', 'disk'])

const stateOfLevel = { healthy: 'online', degraded: 'degraded', critical: 'offline' } as const

const rank: Readonly<Record<ServiceState, number>> = { unconfigured: 0, online: 1, degraded: 2, offline: 3 }

/** A longer event loop delay slows down every request. */
const maxEventLoopDelayMs = 250

/** All services. */
export async function describeGeneral({
  report,
  metricsHistory,
  version,
}: AggregateOptions): Promise<AggregateReport> {
  const { services, level, message } = report
  return {
    state: stateOfLevel[level],
    text: message,
    ...timesOf(services.filter(({ state }) => state !== 'unconfigured')),
    metadata: await metadataOf(services, metricsHistory, version),
  }
}

/** Database, queue, disk and processes: the worst state of them. */
export async function describeSystem({
  report,
  metricsHistory,
  version,
}: AggregateOptions): Promise<AggregateReport> {
  const own = report.services.filter(({ name }) => installationServices.has(name))
  const processes = await readProcesses(metricsHistory)
  const late = processes.filter(({ sample }) => sample.eventLoopDelayMs > maxEventLoopDelayMs)
  const problems = own
    .filter(({ state }) => state === 'degraded' || state === 'offline')
    .map(({ name, text }) => `${name}: ${text}`)
  if (late.length > 0) problems.push(`${late.length} of ${processes.length} processes are overloaded.`)
  const states: readonly ServiceState[] = [
    ...own.map(({ state }) => state),
    late.length > 0 ? 'degraded' : 'online',
  ]
  return {
    state: states.reduce((worst, state) => (rank[state] > rank[worst] ? state : worst)),
    text:
      problems.length > 0
        ? problems.join(' ')
        : `Database, queue, disk and ${processes.length === 1 ? 'the only process' : `${processes.length} processes`} are online.`,
    ...timesOf(own),
    metadata: await metadataOf(report.services, metricsHistory, version),
  }
}

/** The slowest response, the oldest check and the latest change. */
function timesOf(
  services: readonly ServiceReport[],
): Pick<AggregateReport, 'responseTime' | 'lastCheck' | 'since'> {
  const now = Date.now()
  const times = (field: 'lastCheck' | 'since') => services.map((service) => service[field].getTime())
  return {
    responseTime: Math.max(0, ...services.map(({ responseTime }) => responseTime)),
    lastCheck: new Date(Math.min(now, ...times('lastCheck'))),
    since: new Date(services.length === 0 ? now : Math.max(...times('since'))),
  }
}

/** Memory of all processes and number of loaded models. */
async function metadataOf(
  services: readonly ServiceReport[],
  metricsHistory: Pick<MetricsHistory, 'now'>,
  version: string,
): Promise<ServiceMetadata> {
  const processes = await readProcesses(metricsHistory)
  const bytes = processes.reduce((sum, { sample }) => sum + sample.processRssBytes, 0)
  return {
    version,
    models_loaded: services.find(({ name }) => name === 'ollama')?.metadata.models_loaded ?? null,
    memory_usage: processes.length === 0 ? null : describeBytes(bytes),
  }
}

/** Empty while the database is unavailable: `database` is then offline in the report. */
async function readProcesses(
  metricsHistory: Pick<MetricsHistory, 'now'>,
): Promise<readonly ProcessMetrics[]> {
  try {
    return (await metricsHistory.now()).processes
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
    return []
  }
}
