import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import cookie from '@fastify/cookie'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import formbody from '@fastify/formbody'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  type FastifySerializerCompiler,
  LogController,
} from 'fastify'
import { Failure, kernelFailure } from '#kernel/errors'
import type { Limiter } from '#kernel/limits'
import type { MetricsHistory } from '#kernel/metrics-history'
import type { ActiveSpan, Logger, Metrics, Tracing } from '#kernel/telemetry'
import { createLoopTurns } from '#kernel/timers'
import { type Principal, requireAccess } from './access.ts'
import { createAccountShares } from './account-shares.ts'
import type { ApiDefinition } from './api-definition.ts'
import { createClientErrorHandler, createRouteIndex, installErrorResponses } from './error-responses.ts'
import { createHeartbeats } from './event-stream.ts'
import { createHeadRequests } from './head-requests.ts'
import type { HttpServer } from './http-server.ts'
import { readJsonBodies } from './json-bodies.ts'
import { collectOpenApi } from './openapi.ts'
import { createRefusalPacing } from './refusal-pacing.ts'
import { createCountByPolicy, shedLoad } from './request-limits.ts'
import { readForm, requireSmallHead } from './request-size.ts'
import { securityHeaders } from './security-headers.ts'
import { cachePerSchema, compileValidator } from './validation.ts'

export interface HttpServerOptions {
  readonly log: Logger
  readonly metrics: Metrics
  readonly tracing: Tracing
  /** Records every response except those of health checks. */
  readonly metricsHistory?: Pick<MetricsHistory, 'recordResponse'>
  /** Error format of paths that belong to no API. */
  readonly fallbackApi: ApiDefinition
  /** Authenticates the caller; throws a `Failure` for an invalid credential. */
  readonly authenticate: (request: FastifyRequest) => Promise<Principal>
  readonly anonymous: Principal
  /** Enforces the rate policies; not needed by a server without any. */
  readonly limiter?: Limiter
  /** Proxies whose X-Forwarded-* headers are trusted. */
  readonly trustedProxies: readonly string[]
  /** Names the exhausted resource, if there is one. */
  readonly exhaustedResource?: () => string | undefined
  /** Delay of the event loop from which new requests are refused. Default: 1 s. */
  readonly loopDelayLimitMs?: number | undefined
  /** Whether requests wait for a resource of the process beside its processor: then it counts as busy. Default: never. */
  readonly isContended?: () => boolean
  /** Event streams that one account may have open here. Default: 1,000. */
  readonly maxStreamsPerAccount?: number
  readonly version: string
  /** Sends a 404 page to browsers; other clients get the error body. */
  readonly sendNotFoundPage?: (reply: FastifyReply) => FastifyReply
}

const bodyLimitBytes = 1024 * 1024
/** The address and all headers. The default of Node, which `NODE_OPTIONS` cannot raise this way. */
const maxHeadBytes = 16 * 1024

/**
 * Creates the server without listening, so that tests can inject requests. Adding a route without an access rule to it throws, and so does
 * a rate policy without a limiter.
 */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const log: FastifyBaseLogger = options.log
  const closing = new AbortController()
  const headRequests = createHeadRequests()
  const interfaces: ApiDefinition[] = []
  const routeIndex = createRouteIndex()
  const app: HttpServer = Fastify({
    loggerInstance: log,
    // recordRequests writes one line per request.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    genReqId: chooseRequestId,
    requestIdHeader: false,
    bodyLimit: bodyLimitBytes,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    // shedLoad responds while closing, in the error format of the API.
    return503OnClosing: false,
    routerOptions: {
      maxParamLength: 512,
      ignoreTrailingSlash: false,
      constraints: { wants: wantsConstraint },
    },
    // Node would send an empty 400; the hook below uses the API's error format.
    http: { requireHostHeader: false, maxHeaderSize: maxHeadBytes },
    exposeHeadRoutes: false,
    rewriteUrl: headRequests.routeAsGet,
    clientErrorHandler: createClientErrorHandler(options.fallbackApi),
    frameworkErrors: (error, request, reply) => {
      void errorResponses.sendFailure(error, request, reply)
    },
  }).withTypeProvider<TypeBoxTypeProvider>()
  const errorResponses = installErrorResponses(app, {
    interfaces,
    routeIndex,
    fallback: options.fallbackApi,
    sendNotFoundPage: options.sendNotFoundPage,
  })

  app.decorate('closing', closing.signal)
  app.decorate('terminating', new AbortController())
  app.decorate('interfaces', interfaces)
  app.decorate('heartbeats', createHeartbeats())
  app.decorate('turns', createLoopTurns())
  const shares = createAccountShares({
    maxStreams: options.maxStreamsPerAccount ?? 1000,
    isContended: options.isContended,
  })
  app.decorate('accountShares', shares)
  app.decorateRequest('principal')
  app.decorateRequest('isEventStream', false)
  app.decorateRequest('isExpectedFailure', false)
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(compileSerializer)
  app.addHook('preClose', async () => closing.abort())
  app.addHook('onRoute', (route) => {
    routeIndex.add(route.method, route.url)
    if (route.method !== 'OPTIONS' && route.config?.access === undefined) {
      throw new Error(`${String(route.method)} ${route.url} declares no access rule`)
    }
  })
  app.addHook('onRequest', (request, reply, done) => {
    headRequests.restore(request.raw)
    reply.headers(securityHeaders).header('x-request-id', request.id)
    done()
  })
  recordRequests(app, options)
  const { exhaustedResource, loopDelayLimitMs } = options
  shedLoad(app, { exhaustedResource, loopDelayLimitMs, closing: closing.signal })
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    requireSmallHead(raw)
    const problem = findHeaderProblem(raw)
    done(problem === undefined ? undefined : kernelFailure('invalid_input', { message: problem }))
  })
  // An unknown `Expect` header may be ignored; Node would respond with an empty 417.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  readJsonBodies(app, bodyLimitBytes)
  await app.register(cookie)
  await app.register(formbody, { bodyLimit: bodyLimitBytes, parser: readForm })
  await collectOpenApi(app, options.version)

  const pacing = createRefusalPacing()
  const countByPolicy = createCountByPolicy(app, { limiter: options.limiter, interfaces, pacing })
  app.addHook('onRequest', async (request, reply) => {
    const access = request.routeOptions.config.access
    const mustIdentify = access !== undefined && (!('open' in access) || access.identify === true)
    request.principal = options.anonymous
    if (mustIdentify) {
      try {
        request.principal = await options.authenticate(request)
      } catch (error) {
        // An invalid credential counts for its address, which limits guessing.
        if (isRefusal(error)) await countByPolicy(request, reply)
        throw error
      }
    }
    await countByPolicy(request, reply)
    // The framework would read and parse the body first.
    if (request.is404) return errorResponses.sendNotFound(request, reply)
    if (access !== undefined) requireAccess(access, request.principal)
    if (request.routeOptions.config.neverShed !== true) await shares.enter(request, reply)
    return undefined
  })
  app.decorate('isStillAllowed', async (request: FastifyRequest) => {
    const access = request.routeOptions.config.access
    if (access === undefined || 'open' in access) return true
    try {
      const principal = await options.authenticate(request)
      requireAccess(access, principal)
      request.principal = principal
      return true
    } catch (error) {
      // A database outage must not revoke access.
      return !isRefusal(error)
    }
  })
  return app
}

/** Whether the caller caused the error, not the server. */
function isRefusal(error: unknown): boolean {
  return error instanceof Failure && error.status < 500
}

/** Headers of which a proxy may have used the other value. */
const singleHeaders = ['host', 'authorization']

function findHeaderProblem({ rawHeaders, headers, httpVersion }: IncomingMessage): string | undefined {
  for (const name of singleHeaders) {
    let count = 0
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const given = rawHeaders[at]
      if (given?.length === name.length && given.toLowerCase() === name) count += 1
    }
    if (count > 1) return `The request has more than one ${name} header.`
  }
  return httpVersion === '1.1' && headers.host === undefined ? 'The request has no Host header.' : undefined
}

const validRequestId = /^[\w.:-]{1,128}$/

/** Uses the caller's request id if it is valid, so that logs of two systems can be joined; else creates one. */
function chooseRequestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && validRequestId.test(given) ? given : randomUUID()
}

/**
 * Lets two routes share a path: with `constraints: { wants: 'page' }` a route serves requests that prefer HTML, with `{ wants: 'data' }`
 * those that prefer JSON. The route without a constraint serves all others.
 */
const wantsConstraint = {
  name: 'wants',
  storage<Handler>() {
    const handlers = new Map<string, Handler>()
    return {
      get: (wanted: string) => handlers.get(wanted) ?? null,
      set: (wanted: string, handler: Handler) => void handlers.set(wanted, handler),
    }
  },
  deriveConstraint: ({ headers }: Pick<IncomingMessage, 'headers'>) => preferredFormat(headers.accept) ?? '',
}

/** The format a client prefers where a path serves a page and data. */
type PreferredFormat = 'page' | 'data'

interface Range {
  readonly type: string
  readonly quality: number
}

/**
 * Reads an Accept header: browsers prefer pages, programs data. Undefined without a preference or without a header; then the route
 * without a constraint responds.
 */
export function preferredFormat(accept: string | undefined): PreferredFormat | undefined {
  if (accept === undefined) return undefined
  const ranges = accept.split(',', maxRanges).map(readRange)
  const page = preferenceFor('text/html', ranges)
  const data = preferenceFor('application/json', ranges)
  if (page.quality !== data.quality) return page.quality > data.quality ? 'page' : 'data'
  if (page.quality === 0 || page.named === data.named) return undefined
  return page.named ? 'page' : 'data'
}

/** More than any real header; the limit bounds the work for a hostile one. */
const maxRanges = 32

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const written = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  const quality = written === undefined ? 1 : Number(written)
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

/** The most specific range that covers the type decides. */
function preferenceFor(type: string, ranges: readonly Range[]): { quality: number; named: boolean } {
  const family = `${type.split('/', 1)[0]}/*`
  for (const candidate of [type, family, '*/*']) {
    const found = ranges.find((range) => range.type === candidate)
    if (found !== undefined) return { quality: found.quality, named: candidate === type }
  }
  return { quality: 0, named: false }
}

type Serialise = (response: unknown) => string

const compile = SerializerSelector()()

// The library uses the route only in errors about a schema that cannot be compiled.
const serialiserOf = cachePerSchema(
  (schema): Serialise => compile({ schema, method: '', url: '', httpStatus: '' }),
)

/**
 * Serialisers are compiled from the response schemas, each at its first response: a process has hundreds of them and needs a few soon.
 * Compiling all of them would be a good part of its start.
 */
const compileSerializer: FastifySerializerCompiler<object> =
  ({ schema }) =>
  (response) =>
    serialiserOf(schema)(response)

interface RequestTelemetry {
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly metricsHistory?: Pick<MetricsHistory, 'recordResponse'>
}

/** Records duration, trace and one log line of every request. */
function recordRequests(app: HttpServer, { metrics, tracing, metricsHistory }: RequestTelemetry): void {
  const duration = metrics.histogram({
    name: 'http_request_seconds',
    help: 'Time from the first byte of a request to the last byte of its response.',
    labels: ['interface', 'method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  })

  function recordResponse(request: FastifyRequest, reply: FastifyReply, span: ActiveSpan): void {
    const { method } = request
    const route = routeOf(request)
    const status = reply.raw.statusCode
    // A client that disconnected early saw no status; log and histogram record it separately.
    const left = !reply.raw.writableFinished
    span.setAttributes({ 'http.response.status_code': status })
    if (status >= 500) span.fail(`status ${status}`)
    const api = request.routeOptions.config?.interfaceName ?? 'none'
    duration.observe(
      { interface: api, method, route, status: left ? 'client left' : String(status) },
      reply.elapsedTime / 1000,
    )
    const ms = Math.round(reply.elapsedTime * 10) / 10
    // Frequent health checks would distort the statistics.
    const isHealthCheck = request.routeOptions.config?.neverShed === true
    if (!isHealthCheck) {
      const streamed = request.isEventStream
      metricsHistory?.recordResponse({
        interfaceName: api,
        status,
        ms: reply.elapsedTime,
        left: left && !streamed,
        streamed,
        isExpectedFailure: request.isExpectedFailure,
      })
    }
    const level = isHealthCheck ? 'debug' : 'info'
    request.log[level](
      { method, route, status, ms, ...(left && { left }), trace: span.traceId },
      `${method} ${route} ${left ? 'client left' : status} ${ms} ms`,
    )
  }

  app.addHook('onRequest', (request, reply, done) => {
    const options = {
      kind: 'server',
      parentHeaders: request.headers,
      attributes: { 'http.request.method': request.method, 'http.route': routeOf(request) },
    } as const
    // `done` runs the rest of the request inside the span. `close` fires once per response: sent, streamed or aborted.
    void tracing.span(`${request.method} ${routeOf(request)}`, options, (span) => {
      const closed = Promise.withResolvers<void>()
      reply.raw.once('close', () => {
        recordResponse(request, reply, span)
        closed.resolve()
      })
      done()
      return closed.promise
    })
  })
}

/** The route pattern: a path may contain ids, and each would become a label value of its own. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'unknown path'
}
