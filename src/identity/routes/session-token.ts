import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { AnonymousCsrfTokens } from '../sessions/anonymous-csrf-tokens.ts'
import { readSessionCookie } from '../sessions/session-cookie.ts'
import type { Sessions } from '../sessions/sessions.ts'

/** Returns the CSRF token for writes. It protects because other sites cannot read this response. */
export function addSessionTokenRoute(
  routes: HttpServer,
  {
    sessions,
    anonymousCsrfTokens,
  }: { readonly sessions: Sessions; readonly anonymousCsrfTokens: AnonymousCsrfTokens },
): void {
  routes.get(
    '/session/token',
    {
      config: {
        access: { open: 'other sites cannot read the response, and the token belongs to its reader' },
      },
      schema: {
        operationId: 'readSessionToken',
        summary: 'Get a CSRF token',
        description:
          'Send it in `X-CSRF-Token` with every write that is authenticated by the cookie `SESS`. Without a session the token is valid for a day, for the few writes that need no sign-in.',
        produces: ['text/plain'],
        response: { 200: Type.String({ description: 'The token.' }) },
      },
    },
    async (request, reply) => {
      const session = await sessions.find(readSessionCookie(request))
      return reply
        .type('text/plain; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(session?.csrfToken ?? (await anonymousCsrfTokens.create()))
    },
  )
}
