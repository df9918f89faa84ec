import {
  addHealthRoutes,
  anonymousPrincipal,
  createHttpServer,
  type HttpServer,
  registerInterface,
} from '#kernel/http'
import { createLogger, createMetrics, startTracing } from '#kernel/telemetry'
import { platformInterface } from '../../src/app/platform-interface/interface.ts'

/** A server of ours without any capability: health, and whatever the test adds. */
export async function createBareServer(
  overloadedBy: () => string | undefined = () => undefined,
): Promise<HttpServer> {
  const log = createLogger({ level: 'silent', format: 'json' })
  const server = await createHttpServer({
    log,
    metrics: createMetrics({ watchProcess: false }),
    tracing: await startTracing({ endpoint: undefined, serviceName: 'test', version: '0', log }),
    fallbackInterface: platformInterface,
    authenticate: async () => anonymousPrincipal,
    anonymous: anonymousPrincipal,
    trustedProxies: [],
    version: '0.0.0',
    overloadedBy,
  })
  await registerInterface(server, platformInterface, (routes) => addHealthRoutes(routes, []))
  return server
}
