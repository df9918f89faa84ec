import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Failure, kernelFailure } from '#kernel/errors'
import type { RouteIndex } from './allowed-methods.ts'
import { type InterfaceDefinition, interfaceOfPath } from './interface-definition.ts'
import { securityHeaders } from './security-headers.ts'
import type { HttpServer } from './server.ts'
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
    const spoken = interfaceOf(request)
    const wording = spoken.wording[failure.code] ?? failure.code
    const { code, status } = typeof wording === 'string' ? { code: wording, status: failure.status } : wording
    logFailure(request, failure, status)
    // The framework's own errors pass by our hooks, so what every answer carries is set here too.
    reply.code(status).headers({ ...securityHeaders, ...failure.headers, 'x-request-id': request.id })
    if (status === 401 && !reply.hasHeader('www-authenticate')) {
      reply.header('www-authenticate', 'Bearer realm="tutti"')
    }
    const retryAfterSeconds = failure.retryAfterSeconds ?? (status === 503 ? 1 : undefined)
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.ceil(retryAfterSeconds)))
    // A body we refused to read is still on its way; the connection cannot be used again.
    if (status === 413) reply.header('connection', 'close')
    return reply.type('application/json; charset=utf-8').send(
      JSON.stringify(
        spoken.errorBody({
          code,
          status,
          message: failure.message,
          details: failure.details,
          problems: failure.problems,
          retryAfterSeconds,
          requestId: request.id,
          at: new Date(),
        }),
      ),
    )
  }

  app.setErrorHandler((error, request, reply) => answerFailure(error, request, reply))
  app.setNotFoundHandler((request, reply) => {
    const methods = routeIndex.methodsAt(pathOf(request))
    if (methods.length === 0) {
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

function logFailure(request: FastifyRequest, failure: Failure, status: number): void {
  if (status >= 500 && status !== 503) request.log.error({ err: failure.cause ?? failure }, failure.message)
  else if (status >= 500) request.log.warn({ code: failure.code }, failure.message)
  else request.log.debug({ code: failure.code }, failure.message)
}

/** Answers what is not even HTTP. There is no request yet, so the body is the plainest of ours. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const failure =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? kernelFailure('headers_too_large')
      : kernelFailure('malformed_body', { message: 'This is not a valid HTTP request.' })
  const body = JSON.stringify({ error: { code: failure.code, message: failure.message } })
  socket.end(
    [
      `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status] ?? 'Error'}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${randomUUID()}`,
      '',
      body,
    ].join('\r\n'),
  )
}
