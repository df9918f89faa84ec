import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorObject } from 'ajv'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure, type KernelFailureCode, kernelFailure, kernelFailureTable } from '#kernel/errors'
import { type ApiDefinition, apiOfPath, type ErrorView } from './api-definition.ts'
import type { HttpServer } from './http-server.ts'
import { securityHeaders } from './security-headers.ts'
import { describeInvalidInput } from './validation.ts'

interface ErrorResponses {
  sendFailure(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply
  /** For a path without a route, and for a method that its routes do not have. */
  sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply
}

interface ErrorResponseOptions {
  readonly interfaces: readonly ApiDefinition[]
  readonly routeIndex: RouteIndex
  readonly fallback: ApiDefinition
  readonly sendNotFoundPage: ((reply: FastifyReply) => FastifyReply) | undefined
}

/** Installs the handlers that send every failure in the error format of its API. */
export function installErrorResponses(
  app: HttpServer,
  { interfaces, routeIndex, fallback, sendNotFoundPage }: ErrorResponseOptions,
): ErrorResponses {
  function apiOf(request: FastifyRequest): ApiDefinition {
    const name = request.routeOptions?.config?.interfaceName
    return (
      interfaces.find((candidate) => candidate.name === name) ??
      apiOfPath(interfaces, pathOf(request)) ??
      fallback
    )
  }

  function sendFailure(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const failure = toFailure(thrown, request.routeOptions?.bodyLimit)
    const context = { requestId: request.id, origin: originOf(request) }
    const { status, retryAfterSeconds, body } = formatFailure(failure, apiOf(request), context)
    logFailure(request, failure, status)
    request.isExpectedFailure = !Object.hasOwn(kernelFailureTable, failure.code)
    // Errors of the framework skip the hooks, so the headers of every response are set here too.
    reply.code(status).headers({ ...securityHeaders, ...failure.headers, 'x-request-id': request.id })
    if (status === 401 && !reply.hasHeader('www-authenticate')) {
      reply.header('www-authenticate', 'Bearer realm="tutti"')
    }
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.ceil(retryAfterSeconds)))
    // The client is still sending the refused body, so the connection cannot be reused.
    if (status === 413) reply.header('connection', 'close')
    return reply.type('application/json; charset=utf-8').send(body)
  }

  function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const methods = routeIndex.methodsAt(pathOf(request))
    // A route with this method matched and found nothing, as the route for files does.
    if (methods.length === 0 || methods.includes(request.method)) {
      const sendPage = apiOf(request) === fallback && prefersPage(request)
      if (sendNotFoundPage !== undefined && sendPage) return sendNotFoundPage(reply.code(404))
      return sendFailure(kernelFailure('not_found'), request, reply)
    }
    return sendFailure(
      kernelFailure('method_not_allowed', {
        message: `${request.method} is not allowed for this path; use ${methods.join(', ')}.`,
        headers: { allow: methods.join(', ') },
      }),
      request,
      reply,
    )
  }

  app.setErrorHandler((error, request, reply) =>
    hasNoReader(error, reply) ? reply.hijack() : sendFailure(error, request, reply),
  )
  app.setNotFoundHandler(sendNotFound)
  return { sendFailure, sendNotFound }
}

/** Fastify ends the stream of a response whose caller has disconnected, and reports that as an error of the stream. */
function hasNoReader(thrown: unknown, { raw }: FastifyReply): boolean {
  return raw.destroyed && (thrown as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'
}

/** Browsers accept `text/html` when a user navigates; scripts and tools do not. */
function prefersPage(request: FastifyRequest): boolean {
  return request.method === 'GET' && request.headers.accept?.includes('text/html') === true
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '/'
}

function originOf({ protocol, host }: FastifyRequest): string {
  const origin = `${protocol}://${host}`
  return URL.canParse(origin) ? new URL(origin).origin : ''
}

function logFailure(request: FastifyRequest, failure: Failure, status: number): void {
  // An expected failure, such as an unreachable provider, has a code of its own; `internal` is a fault of this server.
  if (failure.code === 'internal') request.log.error({ err: failure.cause ?? failure }, failure.message)
  else if (status >= 500) request.log.warn({ code: failure.code }, failure.message)
  else request.log.debug({ code: failure.code }, failure.message)
}

/** Failures for specific errors of Node's HTTP parser; all other errors are `malformed_body`. */
const clientFailures: Readonly<Record<string, KernelFailureCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Time for the response to arrive. A peer that never disconnects would block the connection, and the shutdown, for ever. */
const lingerMs = 1000

/** Responds to input that is not valid HTTP. No path is known yet, so the response has the error format of unknown paths. */
export function createClientErrorHandler(fallback: ApiDefinition) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const known = clientFailures[error.code ?? '']
    const failure =
      known === undefined
        ? kernelFailure('malformed_body', { message: 'This is not a valid HTTP request.' })
        : kernelFailure(known)
    const requestId = randomUUID()
    const { status, body } = formatFailure(failure, fallback, { requestId, origin: '' })
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`,
        'Connection: close',
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${requestId}`,
        ...Object.entries(securityHeaders).map(([name, value]) => `${name}: ${value}`),
        '',
        body,
      ].join('\r\n'),
    )
    const linger = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('close', () => clearTimeout(linger))
  }
}

/** `Retry-After` seconds by status, for failures without a time of their own. */
const defaultRetryAfter: ReadonlyMap<number, number> = new Map([
  [429, 1],
  [503, 1],
])

/** Formats a failure as the API's status and error body. */
function formatFailure(
  failure: Failure,
  api: ApiDefinition,
  context: Pick<ErrorView, 'requestId' | 'origin'>,
) {
  const errorCode = api.errorCodes[failure.code] ?? failure.code
  const { code, status } =
    typeof errorCode === 'string' ? { code: errorCode, status: failure.status } : errorCode
  const retryAfterSeconds = failure.retryAfterSeconds ?? defaultRetryAfter.get(status)
  const body = api.errorBody({
    code,
    status,
    message: failure.message,
    details: failure.details,
    problems: failure.problems,
    retryAfterSeconds,
    ...context,
    at: new Date(),
  })
  return { status, retryAfterSeconds, body: JSON.stringify(body) }
}

interface FastifyLikeError extends Error {
  readonly code?: string
  readonly statusCode?: number
  readonly validation?: readonly ErrorObject[]
  readonly validationContext?: string
}

/**
 * Turns a thrown value into a `Failure`. Unexpected errors become `internal`, and their message goes only to the log. `bodyLimit` is that of the
 * route. Does not throw.
 */
export function toFailure(thrown: unknown, bodyLimit?: number): Failure {
  if (thrown instanceof Failure) return thrown
  if (!(thrown instanceof Error)) return kernelFailure('internal', { cause: thrown })
  const error = thrown as FastifyLikeError
  if (error.validation) return describeInvalidInput(error.validation, error.validationContext)
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return kernelFailure(
        'body_too_large',
        bodyLimit === undefined ? {} : { message: `The request body is larger than ${bodyLimit} bytes.` },
      )
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return kernelFailure('unsupported_media_type', {
        message: 'This content type is not accepted here; send application/json.',
      })
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return kernelFailure('malformed_body', {
        message: 'The length of the body differs from Content-Length.',
      })
    case 'FST_ERR_BAD_URL':
      return kernelFailure('invalid_input', { message: 'The address is not a valid URL.' })
    case 'FST_ERR_MAX_PARAM_LENGTH':
    case 'FST_ERR_ROUTE_MISSING_HANDLER':
      return kernelFailure('not_found')
  }
  // Other client errors of the framework, such as a path outside the folder of files.
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return kernelFailure('invalid_input', { cause: error })
  }
  return kernelFailure('internal', { cause: error })
}

/** Indexes all routes, to distinguish a wrong method from an unknown path. Only used when no route matched. */
interface RouteIndex {
  add(method: string | readonly string[], url: string): void
  methodsAt(path: string): readonly string[]
}

export function createRouteIndex(): RouteIndex {
  const routes: { readonly methods: readonly string[]; readonly url: string; pattern?: RegExp }[] = []
  return {
    add(method, url) {
      const methods = [method].flat()
      routes.push({ methods: methods.includes('GET') ? [...methods, 'HEAD'] : methods, url })
    },
    methodsAt(path) {
      // The patterns are created with the first wrong request, not with the start.
      const found = routes.filter((route) => (route.pattern ??= patternOf(route.url)).test(path))
      return [...new Set(found.flatMap(({ methods }) => methods))].sort()
    },
  }
}

function patternOf(url: string): RegExp {
  const source = url
    .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/:[A-Za-z_]\w*/g, '[^/]+')
    .replaceAll('*', '.*')
  return new RegExp(`^${source}$`)
}
