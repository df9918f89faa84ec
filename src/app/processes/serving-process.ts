import { checkReadiness, type ReadinessCheck } from '#kernel/http'
import type { Metrics } from '#kernel/telemetry'
import type { ServeProcess } from '../platform-overrides.ts'
import type { Settings } from '../settings.ts'
import { type Channel, createProcessLink, type ProcessLink, type Started } from './process-link.ts'

/** The supervisor collects the metrics of every process. */
const metricsTimeoutMs = 5000

const minPoolSize = 4

/** The variables with which the supervisor names a process. */
export const processVariables = {
  name: 'TUTTI_PROCESS_NAME',
  clusterKey: 'TUTTI_PROCESS_CLUSTER_KEY',
} as const

/** The settings of one of several processes: it gets its share of what the settings allow them together. */
export function shareSettings(settings: Settings): Settings {
  const { platform, database, cluster } = settings
  const share = (total: number) => Math.ceil(total / platform.processes)
  return {
    ...settings,
    database: { ...database, poolSize: Math.max(minPoolSize, share(database.poolSize)) },
    cluster: {
      ...cluster,
      nodeConcurrency: share(cluster.nodeConcurrency),
      loadedLimit: share(cluster.loadedLimit),
      queueLimit: share(cluster.queueLimit),
    },
  }
}

/** The supervisor of this process. */
export interface SupervisorLink {
  readonly process: ServeProcess
  readonly link: ProcessLink
  /** Reports that the servers of this process listen. From now on the supervisor reads its metrics and its readiness. */
  reportStarted(serving: Serving, started: Started): void
  /** Nothing keeps this process running afterwards. */
  disconnect(): void
}

interface Serving {
  readonly metrics: Pick<Metrics, 'render'>
  readonly readiness: readonly ReadinessCheck[]
}

/** Programs that this process starts must not see the variable. */
function takeVariable(variable: string): string {
  const text = process.env[variable] ?? ''
  delete process.env[variable]
  return text
}

/** Connects this process, which was started by a supervisor, to it. */
export function connectToSupervisor(): SupervisorLink {
  let serving: Serving | undefined
  const channel: Channel = {
    send: (message) => void process.send?.(message, undefined, undefined, () => {}),
    onMessage: (handle) => void process.on('message', handle),
  }
  const link = createProcessLink({
    channel,
    handlers: {
      metrics: async () => serving?.metrics.render() ?? '',
      async readiness() {
        const { ready, checks } = await checkReadiness(serving?.readiness ?? [])
        return ready ? undefined : Object.values(checks).find((result) => result !== 'ok')
      },
    },
  })
  return {
    process: {
      name: takeVariable(processVariables.name),
      clusterKey: takeVariable(processVariables.clusterKey),
      renderMetrics: () => link.request('metrics', metricsTimeoutMs),
    },
    link,
    reportStarted(opened, started) {
      serving = opened
      channel.send({ kind: 'started', started })
    },
    disconnect: () => process.disconnect?.(),
  }
}
