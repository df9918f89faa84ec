import { closeHttpServer } from '#kernel/http'
import { createLogger } from '#kernel/telemetry'
import { startClusterService } from '../cluster-service.ts'
import { listen } from '../listen.ts'
import { createMetricsServer } from '../metrics-server.ts'
import { startObservers } from '../observers.ts'
import { readPlatformSettings } from '../settings.ts'
import { stopSignal } from '../stop-signal.ts'
import { version } from '../version.ts'

/** `tutti cluster`: the model cluster service alone, without a database. */
export async function serveCluster(): Promise<void> {
  const settings = readPlatformSettings(process.env)
  const { telemetry, platform } = settings
  const log = createLogger({ level: telemetry.logLevel, format: telemetry.logFormat })
  const stopped = stopSignal()
  await using closing = new AsyncDisposableStack()
  const observers = closing.use(await startObservers(settings, log))
  const { url } = closing.use(await startClusterService(settings, observers))
  const metricsServer = await createMetricsServer(observers, [])
  closing.defer(() => closeHttpServer(metricsServer, platform.closeGraceMs))
  const metricsUrl = await listen(metricsServer, {
    host: platform.metricsHost,
    port: platform.metricsPort,
    variable: 'METRICS_PORT',
  })
  console.log(`
  Tutti ${version} cluster is ready

  Model cluster  ${url}
  Metrics        ${metricsUrl}/metrics

  Stop with Ctrl-C.
`)
  await stopped
}
