import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { identityFailure } from '../errors.ts'
import { originOf, type SecurityEvents } from '../security-events.ts'
import { isSameToken } from '../sessions/csrf-token.ts'
import { clearSessionCookie, readSessionCookie } from '../sessions/session-cookie.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { isForm } from './form.ts'

export interface SignOutOptions {
  readonly sessions: Sessions
  readonly securityEvents: SecurityEvents
}

/** Ends the session of the browser. Without a session the response is the same. */
export function addSignOutRoute(routes: HttpServer, { sessions, securityEvents }: SignOutOptions): void {
  routes.post(
    '/user/logout',
    {
      config: {
        access: {
          open: 'it checks the session and its CSRF token itself, because a form sends the token in its body',
        },
      },
      schema: {
        operationId: 'signOut',
        summary: 'Sign out',
        description:
          'Ends the session of the cookie `SESS`. Send the CSRF token of the session in `X-CSRF-Token`, or in the field `csrf_token` of a form.',
        response: {
          204: Type.Null({ description: 'Signed out.' }),
          303: Type.Null({ description: 'Signed out by a form: redirect to the sign-in page.' }),
        },
      },
    },
    async (request, reply) => {
      const cookieValue = readSessionCookie(request)
      const session = await sessions.find(cookieValue)
      if (session !== undefined && cookieValue !== undefined) {
        if (!isSameToken(session.csrfToken, tokenOf(request))) throw identityFailure('invalid_csrf_token')
        await sessions.end(cookieValue)
        await securityEvents.append({
          type: 'identity.signed_out',
          subject: session.account.id,
          account: session.account.id,
          origin: originOf(request),
          data: { method: 'session' },
        })
      }
      clearSessionCookie(request, reply)
      const byForm = isForm(request) && request.headers['x-requested-with'] === undefined
      return byForm ? reply.redirect('/user/login', 303) : reply.code(204).send(null)
    },
  )
}

function tokenOf(request: FastifyRequest): unknown {
  const { body } = request
  const field =
    typeof body === 'object' && body !== null && 'csrf_token' in body ? body.csrf_token : undefined
  return request.headers['x-csrf-token'] ?? field
}
