import {
  addHealthRoutes,
  anonymousPrincipal,
  createHttpServer,
  type HttpServer,
  registerApi,
} from '#kernel/http'
import { createLogger, createMetrics, type Logger, startTracing } from '#kernel/telemetry'
import { platformApi } from '../../src/app/platform-api.ts'
import { loopDelayLimitMs } from './loop-delay-limit.ts'

/** A server without any capability: health routes, and the routes of the test. */
export async function createBareServer({
  exhaustedResource = () => undefined,
  log = createLogger({ level: 'silent', format: 'json' }),
}: {
  readonly exhaustedResource?: () => string | undefined
  readonly log?: Logger
} = {}): Promise<HttpServer> {
  const server = await createHttpServer({
    loopDelayLimitMs,
    log,
    metrics: createMetrics({ watchProcess: false }),
    tracing: await startTracing({ endpoint: undefined, serviceName: 'test', version: '0', log }),
    fallbackApi: platformApi,
    authenticate: async () => anonymousPrincipal,
    anonymous: anonymousPrincipal,
    trustedProxies: [],
    version: '0.0.0',
    exhaustedResource,
  })
  await registerApi(server, platformApi, (routes) => addHealthRoutes(routes, []))
  return server
}
