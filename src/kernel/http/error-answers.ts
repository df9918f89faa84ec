import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Failure, type KernelFailureCode, kernelFailure, kernelFailureTable } from '#kernel/errors'
import type { RouteIndex } from './allowed-methods.ts'
import type { HttpServer } from './http-server.ts'
import { type ErrorView, type InterfaceDefinition, interfaceOfPath } from './interface-definition.ts'
import { securityHeaders } from './security-headers.ts'
import { toFailure } from './translate-error.ts'

interface ErrorAnswers {
  answerFailure(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply
}

interface ErrorAnswerOptions {
  readonly interfaces: readonly InterfaceDefinition[]
  readonly routeIndex: RouteIndex
  readonly fallback: InterfaceDefinition
  readonly sendUnknownPage: ((reply: FastifyReply) => FastifyReply) | undefined
}

/** Makes every failure, foreseen or not, an answer in the words of the interface it belongs to. */
export function installErrorAnswers(
  app: HttpServer,
  { interfaces, routeIndex, fallback, sendUnknownPage }: ErrorAnswerOptions,
): ErrorAnswers {
  function interfaceOf(request: FastifyRequest): InterfaceDefinition {
    const name = request.routeOptions?.config?.interfaceName
    return (
      interfaces.find((candidate) => candidate.name === name) ??
      interfaceOfPath(interfaces, pathOf(request)) ??
      fallback
    )
  }

  function answerFailure(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const failure = toFailure(thrown)
    const about = { requestId: request.id, origin: originOf(request) }
    const { status, retryAfterSeconds, body } = wordFailure(failure, interfaceOf(request), about)
    logFailure(request, failure, status)
    request.failedAsForeseen = !Object.hasOwn(kernelFailureTable, failure.code)
    // The framework's own errors pass by our hooks, so what every answer carries is set here too.
    reply.code(status).headers({ ...securityHeaders, ...failure.headers, 'x-request-id': request.id })
    if (status === 401 && !reply.hasHeader('www-authenticate')) {
      reply.header('www-authenticate', 'Bearer realm="tutti"')
    }
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.ceil(retryAfterSeconds)))
    // A body we refused to read is still on its way; the connection cannot be used again.
    if (status === 413) reply.header('connection', 'close')
    return reply.type('application/json; charset=utf-8').send(body)
  }

  app.setErrorHandler((error, request, reply) => answerFailure(error, request, reply))
  app.setNotFoundHandler((request, reply) => {
    const methods = routeIndex.methodsAt(pathOf(request))
    // A route that answers this method was asked and found nothing, as the one for files does.
    if (methods.length === 0 || methods.includes(request.method)) {
      const forPerson = interfaceOf(request) === fallback && prefersPage(request)
      if (sendUnknownPage !== undefined && forPerson) return sendUnknownPage(reply.code(404))
      return answerFailure(kernelFailure('not_found'), request, reply)
    }
    return answerFailure(
      kernelFailure('method_not_allowed', {
        message: `This address does not answer ${request.method}; it answers ${methods.join(', ')}.`,
        headers: { allow: methods.join(', ') },
      }),
      request,
      reply,
    )
  })
  return { answerFailure }
}

/** Browsers name `text/html` when a person goes somewhere; scripts and tools do not. */
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
  // What was foreseen has a code and is a matter of others, such as a provider that is down; the rest is ours to look into.
  if (failure.code === 'internal') request.log.error({ err: failure.cause ?? failure }, failure.message)
  else if (status >= 500) request.log.warn({ code: failure.code }, failure.message)
  else request.log.debug({ code: failure.code }, failure.message)
}

/** What the parser reports, where it is more than plain nonsense. */
const clientFailures: Readonly<Record<string, KernelFailureCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Time for the answer to arrive. A peer that never hangs up would hold the connection, and our closing, for ever. */
const lingerMs = 1000

/** Answers what is not even HTTP. There is no path yet, so the voice is that of unknown paths. */
export function answerClientErrors(fallback: InterfaceDefinition) {
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
    const { status, body } = wordFailure(failure, fallback, { requestId, origin: '' })
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

/** Seconds to wait after answers that ask to be tried again, where the failure itself knows no better. */
const shortestWait: ReadonlyMap<number, number> = new Map([
  [429, 1],
  [503, 1],
])

/** Says a failure in the words of an interface. */
function wordFailure(
  failure: Failure,
  spoken: InterfaceDefinition,
  about: Pick<ErrorView, 'requestId' | 'origin'>,
) {
  const wording = spoken.wording[failure.code] ?? failure.code
  const { code, status } = typeof wording === 'string' ? { code: wording, status: failure.status } : wording
  const retryAfterSeconds = failure.retryAfterSeconds ?? shortestWait.get(status)
  const body = spoken.errorBody({
    code,
    status,
    message: failure.message,
    details: failure.details,
    problems: failure.problems,
    retryAfterSeconds,
    ...about,
    at: new Date(),
  })
  return { status, retryAfterSeconds, body: JSON.stringify(body) }
}
