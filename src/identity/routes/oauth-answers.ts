import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type HttpServer, toFailure } from '#kernel/http'
import { oauthFailure } from '../oauth/errors.ts'
import { isForm } from './form.ts'

/** How RFC 6749 tells a failure. */
export const OAuthError = Type.Object(
  {
    error: Type.String(),
    error_description: Type.Optional(Type.String()),
    scope: Type.Optional(Type.String({ description: 'The scope that was not granted.' })),
  },
  { description: 'What went wrong, as RFC 6749 writes it.' },
)

/** The words of this interface that clients of an authorization server would not know. */
const words: Readonly<Record<string, string>> = {
  too_many_requests: 'rate_limited',
  overloaded: 'temporarily_unavailable',
  database_unavailable: 'temporarily_unavailable',
  shutting_down: 'temporarily_unavailable',
  internal: 'server_error',
}

const ownWords = new Set(['invalid_client', 'invalid_scope', 'unauthorized_client', 'unsupported_grant_type'])

/** Answers whatever goes wrong at an endpoint for clients in their own shape. */
export function answerOAuthFailure(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, error, description, headers, retryAfterSeconds } = describe(thrown)
  if (status >= 500) request.log.error({ err: thrown }, 'an endpoint for clients failed')
  void reply.code(status).headers({ ...headers, 'cache-control': 'no-store' })
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(Math.ceil(retryAfterSeconds)))
  // A body we refused to read is still on its way; the connection cannot be used again.
  if (status === 413) void reply.header('connection', 'close')
  void reply.type('application/json; charset=utf-8').send({ error, error_description: description })
}

function describe(thrown: unknown) {
  const { code, status, message, headers, retryAfterSeconds } = toFailure(thrown)
  const error = words[code] ?? (ownWords.has(code) ? code : 'invalid_request')
  const isOtherType = code === 'unsupported_media_type' && headers['accept-encoding'] === undefined
  return {
    // RFC 6749, 5.2: everything that is wrong with a request is 400.
    status: code === 'unsupported_media_type' ? 400 : status,
    error,
    description: isOtherType ? formOnly : message,
    headers,
    retryAfterSeconds,
  }
}

const formOnly = 'Send the fields as application/x-www-form-urlencoded.'

/** JSON would be read as well, but no client of such a server sends it. */
export function requireForm(request: FastifyRequest): void {
  if (!isForm(request)) throw oauthFailure('invalid_request', { message: formOnly })
}

/** Says at an address that only takes POST what it takes, in the shape of the rest of its answers. */
export function addPostOnly(routes: HttpServer, url: string): void {
  routes.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url,
    config: { access: { open: 'it only says that POST is the way' }, undocumented: true },
    errorHandler: answerOAuthFailure,
    handler: (_request, reply) =>
      reply
        .code(405)
        .headers({ allow: 'POST', 'cache-control': 'no-store' })
        .send({ error: 'invalid_request', error_description: 'This address only takes POST.' }),
  })
}
