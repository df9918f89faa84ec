import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { Failure, kernelFailure } from '#kernel/errors'
import type { Limiter } from '#kernel/limits'
import type { Logger, Metrics, Tracing } from '#kernel/telemetry'
import type { Vitals } from '#kernel/vitals'
import { requireAccess } from './access.ts'
import { createRouteIndex } from './allowed-methods.ts'
import { answerClientErrors, installErrorAnswers } from './error-answers.ts'
import { createHeartbeats } from './heartbeats.ts'
import type { HttpServer } from './http-server.ts'
import type { InterfaceDefinition } from './interface-definition.ts'
import { shedLoad } from './load-shedding.ts'
import { observeRequests } from './observe-requests.ts'
import { collectOpenApi } from './openapi/collect.ts'
import type { Principal } from './principal.ts'
import { createCountByPolicy } from './rate-limit.ts'
import { readJsonBodies } from './request-body.ts'
import { chooseRequestId } from './request-id.ts'
import { securityHeaders } from './security-headers.ts'
import { compileSerializer } from './serialisation.ts'
import { compileValidator } from './validation.ts'
import { wantsConstraint } from './wants-constraint.ts'

export interface HttpServerOptions {
  readonly log: Logger
  readonly metrics: Metrics
  readonly tracing: Tracing
  /** Hears of every answer but those of health checks. */
  readonly vitals?: Pick<Vitals, 'answered'>
  /** Speaks for paths that belong to no interface. */
  readonly fallbackInterface: InterfaceDefinition
  /** Finds out who is asking; throws a Failure for a credential that does not hold. */
  readonly authenticate: (request: FastifyRequest) => Promise<Principal>
  readonly anonymous: Principal
  /** Keeps the rate policies; a server whose interfaces have none needs none. */
  readonly limiter?: Limiter
  /** Proxies in front whose X-Forwarded-* headers are believed. */
  readonly trustedProxies: readonly string[]
  /** Names what is at its limit, when something is. */
  readonly overloadedBy?: () => string | undefined
  readonly version: string
  /** Answers a person at an unknown address with a page; programs get the error body. */
  readonly sendUnknownPage?: (reply: FastifyReply) => FastifyReply
}

const bodyLimitBytes = 1024 * 1024

/** Builds the server without listening, so that tests can use it as it is. */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const log: FastifyBaseLogger = options.log
  const closing = new AbortController()
  const interfaces: InterfaceDefinition[] = []
  const routeIndex = createRouteIndex()
  const app: HttpServer = Fastify({
    loggerInstance: log,
    // One line for each request is written by observeRequests.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    genReqId: chooseRequestId,
    requestIdHeader: false,
    bodyLimit: bodyLimitBytes,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    // Our own hook answers while closing, in the interface's own shape.
    return503OnClosing: false,
    routerOptions: {
      maxParamLength: 512,
      ignoreTrailingSlash: false,
      constraints: { wants: wantsConstraint },
    },
    // Node would answer with an empty 400 of its own; the hook below says it in our shape.
    http: { requireHostHeader: false },
    clientErrorHandler: answerClientErrors(options.fallbackInterface),
    frameworkErrors: (error, request, reply) => {
      void answers.answerFailure(error, request, reply)
    },
  }).withTypeProvider<TypeBoxTypeProvider>()
  const answers = installErrorAnswers(app, {
    interfaces,
    routeIndex,
    fallback: options.fallbackInterface,
    sendUnknownPage: options.sendUnknownPage,
  })

  app.decorate('closing', closing.signal)
  app.decorate('cuttingOff', new AbortController())
  app.decorate('interfaces', interfaces)
  app.decorate('heartbeats', createHeartbeats())
  app.decorateRequest('principal')
  app.decorateRequest('isEventStream', false)
  app.decorateRequest('failedAsForeseen', false)
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(compileSerializer)
  app.addHook('preClose', async () => closing.abort())
  app.addHook('onRoute', (route) => {
    routeIndex.add(route.method, route.url)
    if (route.method !== 'OPTIONS' && route.config?.access === undefined) {
      throw new Error(`${String(route.method)} ${route.url} does not declare who may call it`)
    }
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders).header('x-request-id', request.id)
  })
  observeRequests(app, options)
  shedLoad(app, { overloadedBy: options.overloadedBy, closing: closing.signal })
  app.addHook('onRequest', async ({ raw, headers }) => {
    // Whoever stands in front of us may have read the other one.
    const doubled = ['host', 'authorization'].find((name) => (raw.headersDistinct[name]?.length ?? 0) > 1)
    if (doubled !== undefined) {
      throw kernelFailure('invalid_input', { message: `The request has more than one ${doubled} header.` })
    }
    if (raw.httpVersion === '1.1' && headers.host === undefined) {
      throw kernelFailure('invalid_input', { message: 'The request has no Host header.' })
    }
  })
  // An expectation we do not know may be passed over; Node would answer it with an empty 417.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  readJsonBodies(app, bodyLimitBytes)
  await app.register(cookie)
  await app.register(formbody, { bodyLimit: bodyLimitBytes })
  await collectOpenApi(app, options.version)

  const countByPolicy = createCountByPolicy(app, { limiter: options.limiter, interfaces })
  app.addHook('onRequest', async (request, reply) => {
    const access = request.routeOptions.config.access
    const mustIdentify = access !== undefined && (!('open' in access) || access.identify === true)
    request.principal = options.anonymous
    if (mustIdentify) {
      try {
        request.principal = await options.authenticate(request)
      } catch (error) {
        // A credential that does not hold is nobody's: whoever tries many is counted by address.
        if (isRefusal(error)) await countByPolicy(request, reply)
        throw error
      }
    }
    await countByPolicy(request, reply)
    if (access !== undefined) requireAccess(access, request.principal)
  })
  app.decorate('stillAllows', async (request: FastifyRequest) => {
    const access = request.routeOptions.config.access
    if (access === undefined || 'open' in access) return true
    try {
      const principal = await options.authenticate(request)
      requireAccess(access, principal)
      request.principal = principal
      return true
    } catch (error) {
      // A database that does not answer takes nobody's rights away.
      return !isRefusal(error)
    }
  })
  return app
}

/** The caller's fault, and not ours. */
function isRefusal(error: unknown): boolean {
  return error instanceof Failure && error.status < 500
}

/** Of the time that running requests have, what is left for last words. */
const lastWords = { mostMs: 1000, share: 0.25 }

/** Closes in order: no new requests, running ones get `graceMs` to end, then they are told, and their connections are cut. */
export async function closeHttpServer(app: HttpServer, graceMs: number): Promise<void> {
  const lastWordsMs = Math.min(lastWords.mostMs, graceMs * lastWords.share)
  const cuttingOff = setTimeout(() => app.cuttingOff.abort(), graceMs - lastWordsMs)
  const cut = setTimeout(() => app.server.closeAllConnections(), graceMs)
  // Node closes what is idle once, at the start; a connection whose last answer goes out later would be kept alive.
  const sweep = setInterval(() => app.server.closeIdleConnections(), 50)
  try {
    await app.close()
  } finally {
    clearTimeout(cuttingOff)
    clearTimeout(cut)
    clearInterval(sweep)
  }
}
