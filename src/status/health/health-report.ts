import { isDatabaseUnavailable } from '#kernel/database'
import type { MetricsHistory, ProcessMetrics } from '#kernel/metrics-history'
import type { StatusConfig } from '../config/config.ts'
import type { ConfigStore } from '../config/config-store.ts'
import { describeBytes } from '../probes/bytes.ts'
import type { ServiceMetadata, ServiceName, ServiceReport, ServiceState } from '../services/service.ts'
import type { Services } from '../services/services.ts'
import { type Health, judgeHealth } from './score.ts'

/** How everything is at this moment. */
export interface HealthReport extends Health {
  readonly services: readonly ServiceReport[]
  readonly weights: StatusConfig['weights']
}

export type ReadHealth = () => Promise<HealthReport>

interface HealthOptions {
  readonly services: Services
  readonly config: Pick<ConfigStore, 'read'>
}

/** What is known stands in the database: when that does not answer, this process tells what it knew last, and that. */
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
  return { ...judgeHealth(services, weights), services, weights }
}

function withoutDatabase(service: ServiceReport): ServiceReport {
  if (service.name !== 'database') return service
  const now = new Date()
  return {
    ...service,
    state: 'offline',
    since: service.state === 'offline' ? service.since : now,
    text: 'It does not answer.',
    responseTime: 0,
    lastCheck: now,
  }
}

/** Several services told as one. */
export interface WholeReport
  extends Pick<ServiceReport, 'state' | 'text' | 'responseTime' | 'lastCheck' | 'since'> {
  readonly metadata: ServiceMetadata
}

interface WholeOptions {
  readonly report: HealthReport
  readonly metricsHistory: Pick<MetricsHistory, 'now'>
  readonly version: string
}

const ofInstallation: ReadonlySet<ServiceName> = new Set(['database', 'queue', 'disk'])

const stateOfLevel = { healthy: 'online', degraded: 'degraded', critical: 'offline' } as const

const rank: Readonly<Record<ServiceState, number>> = { unconfigured: 0, online: 1, degraded: 2, offline: 3 }

/** An event loop that is later than this keeps everybody waiting. */
const lateLoopMs = 250

/** Everything: as the level says. */
export async function describeGeneral({
  report,
  metricsHistory,
  version,
}: WholeOptions): Promise<WholeReport> {
  const { services, level, message } = report
  return {
    state: stateOfLevel[level],
    text: message,
    ...timesOf(services.filter(({ state }) => state !== 'unconfigured')),
    metadata: await metadataOf(services, metricsHistory, version),
  }
}

/** This installation: its database, its queue, its disk and its processes, as the worst of them is. */
export async function describeSystem({
  report,
  metricsHistory,
  version,
}: WholeOptions): Promise<WholeReport> {
  const own = report.services.filter(({ name }) => ofInstallation.has(name))
  const processes = await readProcesses(metricsHistory)
  const late = processes.filter(({ sample }) => sample.eventLoopDelayMs > lateLoopMs)
  const troubled = own
    .filter(({ state }) => state === 'degraded' || state === 'offline')
    .map(({ name, text }) => `${name}: ${text}`)
  if (late.length > 0)
    troubled.push(`${late.length} of ${processes.length} processes are busy beyond measure.`)
  const states: readonly ServiceState[] = [
    ...own.map(({ state }) => state),
    late.length > 0 ? 'degraded' : 'online',
  ]
  return {
    state: states.reduce((worst, state) => (rank[state] > rank[worst] ? state : worst)),
    text:
      troubled.length > 0
        ? troubled.join(' ')
        : `Database, queue, disk and ${processes.length === 1 ? 'the only process' : `${processes.length} processes`} are well.`,
    ...timesOf(own),
    metadata: await metadataOf(report.services, metricsHistory, version),
  }
}

/** The slowest answer, the oldest look, and the last change. */
function timesOf(
  services: readonly ServiceReport[],
): Pick<WholeReport, 'responseTime' | 'lastCheck' | 'since'> {
  const now = Date.now()
  const times = (field: 'lastCheck' | 'since') => services.map((service) => service[field].getTime())
  return {
    responseTime: Math.max(0, ...services.map(({ responseTime }) => responseTime)),
    lastCheck: new Date(Math.min(now, ...times('lastCheck'))),
    since: new Date(services.length === 0 ? now : Math.max(...times('since'))),
  }
}

/** The memory of all processes, and the models that nodes have loaded. */
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

/** None while the database, where they show themselves, does not answer: that is part of what is told. */
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
