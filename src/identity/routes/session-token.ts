import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { AnonymousTokens } from '../sessions/anonymous-token.ts'
import { readSessionCookie } from '../sessions/session-cookie.ts'
import type { Sessions } from '../sessions/sessions.ts'

/** Tells a page the token its writes need. Other sites cannot read the answer, which is the whole point. */
export function addSessionTokenRoute(
  routes: HttpServer,
  { sessions, anonymousTokens }: { readonly sessions: Sessions; readonly anonymousTokens: AnonymousTokens },
): void {
  routes.get(
    '/session/token',
    {
      config: {
        access: { open: 'other sites cannot read the answer, and nothing in it is a secret from its reader' },
      },
      schema: {
        operationId: 'readSessionToken',
        summary: 'The CSRF token of the session',
        description:
          'Goes into `X-CSRF-Token` of every write that is authenticated by the cookie `SESS`. Without a session it is a token for a day, for the few writes that ask nobody to sign in.',
        produces: ['text/plain'],
        response: { 200: Type.String({ description: 'The token.' }) },
      },
    },
    async (request, reply) => {
      const session = await sessions.find(readSessionCookie(request))
      return reply
        .type('text/plain; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(session?.csrfToken ?? (await anonymousTokens.make()))
    },
  )
}
