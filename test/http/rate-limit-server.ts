import type { FastifyRequest } from 'fastify'
import { kernelFailure } from '#kernel/errors'
import {
  type ApiDefinition,
  anonymousPrincipal,
  closeHttpServer,
  createHttpServer,
  type HttpServer,
  type Principal,
  registerApi,
} from '#kernel/http'
import { createLimiter, type Limiter } from '#kernel/limits'
import { createLogger, createMetrics, startTracing } from '#kernel/telemetry'
import { loopDelayLimitMs } from '../support/loop-delay-limit.ts'
import { createTestDatabase } from '../support/test-database.ts'

const log = createLogger({ level: 'silent', format: 'json' })

export interface LimitedServer extends AsyncDisposable {
  readonly url: string
  readonly limiter: Limiter
}

interface Served {
  readonly definition: ApiDefinition
  readonly addRoutes: (routes: HttpServer, limiter: Limiter) => void
}

/** A server whose callers name themselves: `X-Caller: session amy 1` is amy in her session 1, `X-Caller: liar` is invalid. */
export async function startLimitedServer(
  ...interfaces: readonly [Served, ...Served[]]
): Promise<LimitedServer> {
  await using closing = new AsyncDisposableStack()
  const metrics = createMetrics({ watchProcess: false })
  const database = closing.use(await createTestDatabase())
  const limiter = closing.use(createLimiter({ database, log, metrics }))
  const app = await createHttpServer({
    loopDelayLimitMs,
    log,
    metrics,
    tracing: await startTracing({ endpoint: undefined, serviceName: 'test', version: '0', log }),
    fallbackApi: interfaces[0].definition,
    authenticate,
    anonymous: anonymousPrincipal,
    trustedProxies: ['127.0.0.1'],
    version: '0.0.0',
    limiter,
  })
  closing.defer(() => closeHttpServer(app, 1000))
  for (const { definition, addRoutes } of interfaces) {
    await registerApi(app, definition, (routes) => addRoutes(routes, limiter))
  }
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const opened = closing.move()
  return { url, limiter, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

async function authenticate({ headers }: FastifyRequest): Promise<Principal> {
  const [method, id, credential] = String(headers['x-caller'] ?? '').split(' ')
  if (method === '') return anonymousPrincipal
  if ((method !== 'session' && method !== 'api_key') || id === undefined || credential === undefined) {
    throw kernelFailure('authentication_required')
  }
  return {
    ...anonymousPrincipal,
    id,
    username: id,
    method,
    credential,
    tier: id.startsWith('rich') ? 'enterprise' : 'basic',
  }
}

/** The three headers, as numbers. */
export function rateOf({ headers }: Response): { limit: number; remaining: number; reset: number } {
  const read = (name: string) => Number(headers.get(name) ?? Number.NaN)
  return {
    limit: read('x-ratelimit-limit'),
    remaining: read('x-ratelimit-remaining'),
    reset: read('x-ratelimit-reset'),
  }
}
