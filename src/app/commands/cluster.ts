import { clusterReadiness } from '#cluster'
import { closeHttpServer } from '#kernel/http'
import { createLogger } from '#kernel/telemetry'
import { clusterOptionsOf, startClusterService } from '../cluster-service.ts'
import { listen, listenAddressesOf } from '../listen.ts'
import { createMetricsServer } from '../metrics-server.ts'
import { readPlatformSettings, type Settings } from '../settings.ts'
import { createShutdownDeadline } from '../shutdown-deadline.ts'
import { startTelemetry } from '../telemetry.ts'
import { type RunningServer, runUntilStopped, writeBanner } from './run-until-stopped.ts'

/** `tutti cluster`: the model cluster service alone, without a database. */
export async function serveCluster(): Promise<void> {
  const settings = readPlatformSettings(process.env)
  await runUntilStopped(() => startAlone(settings))
}

async function startAlone(settings: Settings): Promise<RunningServer> {
  const { logLevel: level, logFormat: format } = settings.telemetry
  const options = clusterOptionsOf(settings, { alone: true })
  const log = createLogger({ level, format })
  const timeLeftMs = createShutdownDeadline(settings.platform.closeGraceMs)
  await using closing = new AsyncDisposableStack()
  const telemetry = closing.use(await startTelemetry(settings, { log, watchProcess: true }))
  const { cluster, url } = closing.use(await startClusterService(settings, options, telemetry, timeLeftMs))
  const metricsServer = await createMetricsServer(telemetry, clusterReadiness(cluster))
  closing.defer(() => closeHttpServer(metricsServer, timeLeftMs()))
  const metricsUrl = await listen(metricsServer, listenAddressesOf(settings).metrics)
  const opened = closing.move()
  return {
    banner: writeBanner({
      name: 'Tutti cluster',
      rows: [
        ['Model cluster', url],
        ['Metrics', `${metricsUrl}/metrics`],
      ],
    }),
    close: () => opened.disposeAsync(),
  }
}
