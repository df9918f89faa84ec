import {
  addHealthRoutes,
  anonymousPrincipal,
  createHttpServer,
  type HttpServer,
  type ReadinessCheck,
  registerApi,
} from '#kernel/http'
import { addMetricsRoute, platformApi } from './platform-api.ts'
import type { Telemetry } from './telemetry.ts'
import { version } from './version.ts'

/** The server on METRICS_PORT: metrics and health without a sign-in, for the network of the operator alone. */
export async function createMetricsServer(
  telemetry: Telemetry,
  readiness: readonly ReadinessCheck[],
): Promise<HttpServer> {
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
    addMetricsRoute(routes, telemetry.metrics, { open: 'listens where only the operator reaches it' })
  })
  return app
}
