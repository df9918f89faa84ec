import {
  addHealthRoutes,
  createHttpServer,
  type HttpServer,
  nobody,
  type ReadinessCheck,
  registerInterface,
} from '#kernel/http'
import type { Observers } from './observers.ts'
import { platformInterface } from './platform-interface/interface.ts'
import { addMetricsRoute } from './platform-interface/metrics-route.ts'
import { version } from './version.ts'

/** The small server on METRICS_PORT: metrics and health without a sign-in, for the network of the operator alone. */
export async function createMetricsServer(
  observers: Observers,
  readiness: readonly ReadinessCheck[],
): Promise<HttpServer> {
  const app = await createHttpServer({
    ...observers,
    fallbackInterface: platformInterface,
    authenticate: async () => nobody,
    anonymous: nobody,
    trustedProxies: [],
    version,
  })
  await registerInterface(app, platformInterface, (routes) => {
    addHealthRoutes(routes, readiness)
    addMetricsRoute(routes, observers.metrics, { open: 'listens where only the operator reaches it' })
  })
  return app
}
