import nodeCluster from 'node:cluster'
import { join } from 'node:path'
import { clusterReadiness, createFileStore, createLocalLimiter, type LimitCounts } from '#cluster'
import { createLogger, type Logger } from '#kernel/telemetry'
import { clusterOptionsOf, startClusterService } from '../cluster-service.ts'
import { serveMetrics } from '../metrics-server.ts'
import { serveSupervised, supervisorName } from '../processes/serve-supervised.ts'
import { connectToSupervisor, processVariables, shareSettings } from '../processes/serving-process.ts'
import { countAtSupervisor, handleCounts } from '../processes/shared-counts.ts'
import { readPlatformSettings, type Settings } from '../settings.ts'
import { createShutdownDeadline, drainTimeMs } from '../shutdown-deadline.ts'
import { startTelemetry } from '../telemetry.ts'
import { type RunningServer, runUntilStopped, writeBanner } from './run-until-stopped.ts'

/** `tutti cluster`: the model cluster service alone, without a database, in one process or in several with a supervisor. */
export async function serveCluster(): Promise<void> {
  const settings = readPlatformSettings(process.env)
  const start = nodeCluster.isWorker ? startProcess : settings.platform.processes > 1 ? supervise : startAlone
  await runUntilStopped(() => start(settings))
}

async function startAlone(settings: Settings): Promise<RunningServer> {
  await using closing = new AsyncDisposableStack()
  const { url, telemetry, readiness, timeLeftMs } = await openService(settings, { closing })
  const metricsUrl = await serveMetrics({ settings, telemetry, readiness, closing, timeLeftMs })
  const opened = closing.move()
  return { banner: describeServing(url, metricsUrl), close: () => opened.disposeAsync() }
}

/** One of the processes of a supervisor. */
async function startProcess(settings: Settings): Promise<RunningServer> {
  const supervisor = connectToSupervisor()
  await using closing = new AsyncDisposableStack()
  closing.defer(() => supervisor.disconnect())
  const { url, telemetry, readiness } = await openService(shareSettings(settings), {
    closing,
    name: supervisor.process.name,
    limiterOf: (log) => countAtSupervisor(supervisor.link, log),
    drainMs: drainTimeMs(settings.platform.closeGraceMs),
  })
  const urls = { console: undefined, cluster: url, metrics: undefined }
  supervisor.reportStarted({ metrics: telemetry.metrics, readiness }, { urls })
  const opened = closing.move()
  return { banner: undefined, close: () => opened.disposeAsync() }
}

/** The supervisor serves the metrics of all processes and counts for their limits; everything else is theirs. */
async function supervise(settings: Settings): Promise<RunningServer> {
  const { logLevel: level, logFormat: format } = settings.telemetry
  const { processes } = settings.platform
  // Reports settings that contradict each other before anything is started.
  clusterOptionsOf(settings, { alone: true })
  const log = createLogger({ level, format, process: supervisorName })
  await using closing = new AsyncDisposableStack()
  const telemetry = closing.use(
    await startTelemetry(settings, { log, watchProcess: true, process: supervisorName }),
  )
  const { urls } = await serveSupervised({
    settings,
    telemetry,
    count: processes,
    environmentOf: (name) => ({ [processVariables.name]: name }),
    handlers: { count: handleCounts(createLocalLimiter()) },
    closing,
  })
  const opened = closing.move()
  return {
    banner: describeServing(urls.cluster, urls.metrics, processes),
    close: () => opened.disposeAsync(),
  }
}

interface ServiceOptions {
  /** Gets the closing of the service. */
  readonly closing: AsyncDisposableStack
  /** The name of this process among several. */
  readonly name?: string
  /** Default: counts of this process alone. */
  readonly limiterOf?: (log: Logger) => LimitCounts
  readonly drainMs?: number
}

async function openService(settings: Settings, { closing, name, limiterOf, drainMs }: ServiceOptions) {
  const { logLevel: level, logFormat: format } = settings.telemetry
  const options = clusterOptionsOf(settings, { alone: true })
  const log = createLogger({ level, format, process: name })
  const timeLeftMs = createShutdownDeadline(settings.platform.closeGraceMs)
  const telemetry = closing.use(await startTelemetry(settings, { log, watchProcess: true, process: name }))
  const store = await createFileStore(
    settings.cluster.stateFile ?? join(settings.database.dataDir, 'cluster.json'),
  )
  const { cluster, url } = closing.use(
    await startClusterService(settings, options, telemetry, timeLeftMs, {
      store,
      ...(limiterOf && { limiter: limiterOf(log) }),
      ...(drainMs !== undefined && { drainMs }),
    }),
  )
  return { url, telemetry, readiness: clusterReadiness(cluster), timeLeftMs }
}

function describeServing(url: string | undefined, metrics: string | undefined, processes?: number): string {
  return writeBanner({
    name: 'Tutti cluster',
    rows: [
      ['Model cluster', url],
      ['Metrics', metrics && `${metrics}/metrics`],
      ['Processes', processes?.toString()],
    ],
  })
}
