import { clusterReadiness } from '#cluster'
import { closeHttpServer } from '#kernel/http'
import { createLogger } from '#kernel/telemetry'
import { clusterOptionsOf, startClusterService } from '../cluster-service.ts'
import { createGrace } from '../grace.ts'
import { listen } from '../listen.ts'
import { createMetricsServer } from '../metrics-server.ts'
import { startObservers } from '../observers.ts'
import { placesOf } from '../places.ts'
import { readPlatformSettings, type Settings } from '../settings.ts'
import { writeBanner } from './banner.ts'
import { type Running, runUntilStopped } from './run-until-stopped.ts'

/** `tutti cluster`: the model cluster service alone, without a database. */
export async function serveCluster(): Promise<void> {
  const settings = readPlatformSettings(process.env)
  await runUntilStopped(() => startAlone(settings))
}

async function startAlone(settings: Settings): Promise<Running> {
  const { telemetry, platform } = settings
  const options = clusterOptionsOf(settings, { alone: true })
  const log = createLogger({ level: telemetry.logLevel, format: telemetry.logFormat })
  const graceLeftMs = createGrace(platform.closeGraceMs)
  await using closing = new AsyncDisposableStack()
  const observers = closing.use(await startObservers(settings, log))
  const { cluster, url } = closing.use(await startClusterService(settings, options, observers, graceLeftMs))
  const metricsServer = await createMetricsServer(observers, clusterReadiness(cluster))
  closing.defer(() => closeHttpServer(metricsServer, graceLeftMs()))
  const metricsUrl = await listen(metricsServer, placesOf(settings).metrics)
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
