import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { readSessionCookie } from '../sessions/session-cookie.ts'
import type { Sessions } from '../sessions/sessions.ts'

/** Tells a page the token its writes need. Other sites cannot read the answer, which is the whole point. */
export function addSessionTokenRoute(
  routes: HttpServer,
  { sessions }: { readonly sessions: Sessions },
): void {
  routes.get(
    '/session/token',
    {
      config: { access: { open: 'it answers only to the cookie of an open session' } },
      schema: {
        operationId: 'readSessionToken',
        summary: 'The CSRF token of the session',
        description: 'Goes into `X-CSRF-Token` of every write that is authenticated by the cookie `SESS`.',
        produces: ['text/plain'],
        response: { 200: Type.String({ description: 'The token.' }) },
      },
    },
    async (request, reply) => {
      const session = await sessions.find(readSessionCookie(request))
      if (session === undefined) {
        throw kernelFailure('authentication_required', { message: 'There is no session; sign in first.' })
      }
      return reply
        .type('text/plain; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(session.csrfToken)
    },
  )
}
