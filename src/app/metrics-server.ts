import {
  addHealthRoutes,
  anonymousPrincipal,
  closeHttpServer,
  createHttpServer,
  type ReadinessCheck,
  registerApi,
} from '#kernel/http'
import { listen, listenAddressesOf } from './listen.ts'
import { addMetricsRoute, platformApi, type RenderedMetrics } from './platform-api.ts'
import type { Settings } from './settings.ts'
import type { Telemetry } from './telemetry.ts'
import { version } from './version.ts'

interface MetricsServerOptions {
  readonly settings: Settings
  readonly telemetry: Telemetry
  readonly readiness: readonly ReadinessCheck[]
  /** Default: the metrics of this process. */
  readonly rendered?: RenderedMetrics
  /** Gets the closing of the server. */
  readonly closing: AsyncDisposableStack
  readonly timeLeftMs: () => number
}

/** Serves metrics and health on METRICS_PORT, without a sign-in, for the network of the operator alone. Returns the URL. */
export async function serveMetrics(options: MetricsServerOptions): Promise<string> {
  const { settings, telemetry, readiness, rendered = telemetry.metrics, closing, timeLeftMs } = options
  const app = await createHttpServer({
    ...telemetry,
    fallbackApi: platformApi,
    authenticate: async () => anonymousPrincipal,
    anonymous: anonymousPrincipal,
    trustedProxies: [],
    version,
  })
  await registerApi(app, platformApi, (routes) => {
    addHealthRoutes(routes, readiness)
    addMetricsRoute(routes, rendered, { open: 'listens where only the operator reaches it' })
  })
  closing.defer(() => closeHttpServer(app, timeLeftMs()))
  return listen(app, listenAddressesOf(settings).metrics)
}
