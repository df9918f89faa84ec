import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Failure } from '#kernel/errors'
import { type HttpServer, toFailure } from '#kernel/http'
import { oauthFailure } from '../oauth/errors.ts'
import { isForm } from './form.ts'

/** The error response of RFC 6749. */
export const OAuthError = Type.Object(
  {
    error: Type.String(),
    error_description: Type.Optional(Type.String()),
    scope: Type.Optional(Type.String({ description: 'The scope that was not granted.' })),
  },
  { description: 'An error as defined by RFC 6749.' },
)

/** Maps the platform's error codes to those that OAuth clients know. */
const oauthCodes: Readonly<Record<string, string>> = {
  too_many_requests: 'rate_limited',
  overloaded: 'temporarily_unavailable',
  database_unavailable: 'temporarily_unavailable',
  shutting_down: 'temporarily_unavailable',
  internal: 'server_error',
}

const unchangedCodes = new Set([
  'invalid_client',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_grant_type',
])

/** Error handler of the OAuth endpoints: sends every error in the format of RFC 6749. */
export function sendOAuthError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, error, description, headers, retryAfterSeconds } = describe(
    toFailure(thrown, request.routeOptions.bodyLimit),
  )
  if (status >= 500) request.log.error({ err: thrown }, 'an OAuth endpoint failed')
  void reply.code(status).headers({ ...headers, 'cache-control': 'no-store' })
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(Math.ceil(retryAfterSeconds)))
  // The client is still sending a body that is not read, so the connection cannot be reused.
  if (status === 413) void reply.header('connection', 'close')
  void reply.type('application/json; charset=utf-8').send({ error, error_description: description })
}

function describe({ code, status, message, headers, retryAfterSeconds }: Failure) {
  const error = oauthCodes[code] ?? (unchangedCodes.has(code) ? code : 'invalid_request')
  const isOtherType = code === 'unsupported_media_type' && headers['accept-encoding'] === undefined
  return {
    // RFC 6749, 5.2: a malformed request is always 400.
    status: code === 'unsupported_media_type' ? 400 : status,
    error,
    description: isOtherType ? formOnly : message,
    headers,
    retryAfterSeconds,
  }
}

const formOnly = 'Send the fields as application/x-www-form-urlencoded.'

/** Throws `invalid_request` for JSON: the platform could parse it, but RFC 6749 requires a form. */
export function requireForm(request: FastifyRequest): void {
  if (!isForm(request)) throw oauthFailure('invalid_request', { message: formOnly })
}

/** Answers other methods at a POST endpoint with 405 in the OAuth error format. */
export function addPostOnly(routes: HttpServer, url: string): void {
  routes.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url,
    config: { access: { open: 'it only responds with 405' }, undocumented: true },
    errorHandler: sendOAuthError,
    handler: (_request, reply) =>
      reply
        .code(405)
        .headers({ allow: 'POST', 'cache-control': 'no-store' })
        .send({ error: 'invalid_request', error_description: 'This endpoint only accepts POST.' }),
  })
}
