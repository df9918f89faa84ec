import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import type { Consents } from '../oauth/consents.ts'
import { Id, listOf, OptionalTime } from '../schemas.ts'
import { originOf } from '../security-events.ts'
import { callerOf } from './caller.ts'

const Authorization = Type.Object({
  id: Type.String({ format: 'uuid' }),
  client_id: Type.String(),
  client_name: Type.String(),
  scopes: Type.Array(Type.String()),
  created_at: Type.String({ format: 'date-time' }),
  last_used_at: OptionalTime,
})

const access = { signedIn: true } as const

/** List and withdraw the OAuth consents of an account. */
export function addAuthorizationRoutes(routes: HttpServer, consents: Consents): void {
  routes.get(
    '/api/v1/authorizations',
    {
      config: { access },
      schema: {
        operationId: 'listAuthorizations',
        summary: 'List authorized applications',
        description:
          'The applications you have authorized, oldest first. `last_used_at` is when the application last got a token.',
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(Authorization, 'A page of applications.') },
      },
    },
    async (request, reply) => {
      const { id: userId } = callerOf(request)
      const { authorizations, total } = await consents.list({
        userId,
        limit: request.query.limit,
        offset: offsetOf(request.query),
      })
      const data = authorizations.map((authorization) => ({
        ...authorization,
        scopes: [...authorization.scopes],
        created_at: authorization.created_at.toISOString(),
        last_used_at: authorization.last_used_at?.toISOString() ?? null,
      }))
      return reply.header('cache-control', 'no-store').send({ data, total })
    },
  )

  routes.delete(
    '/api/v1/authorizations/:id',
    {
      config: { access },
      schema: {
        operationId: 'withdrawAuthorization',
        summary: 'Withdraw an authorization',
        description:
          'The tokens of the application stop working at once, and it has to request your consent again.',
        params: Type.Object({ id: Id }),
        response: { 204: Type.Null({ description: 'Withdrawn.' }) },
      },
    },
    async (request, reply) => {
      const { id: userId } = callerOf(request)
      const withdrawn = await consents.withdraw({ id: request.params.id, userId, origin: originOf(request) })
      if (!withdrawn) throw kernelFailure('not_found', { message: 'There is no such authorization.' })
      return reply.code(204).send(null)
    },
  )
}
