import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import { actorOf } from '../actor.ts'
import { Id, listOf } from '../schemas.ts'
import type { AnonymousCsrfTokens } from '../sessions/csrf-tokens.ts'
import { clearSessionCookie, readSessionCookie } from '../sessions/session-cookie.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { SignIn, SignIns } from '../sessions/sign-ins.ts'
import { callerOf } from './caller.ts'

const SignInResponse = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    kind: Type.Enum(['browser', 'token'], {
      description:
        '`browser`: a session with the cookie `SESS`; `token`: a program that signed in for tokens.',
    }),
    current: Type.Boolean({ description: 'Whether this is the session of the request.' }),
    created_at: Type.String({ format: 'date-time' }),
    last_seen_at: Type.String({
      format: 'date-time',
      description: 'For `token`: when it was last refreshed.',
    }),
    expires_at: Type.String({ format: 'date-time' }),
    ip: Type.String({ description: 'IP address of the sign-in.' }),
    user_agent: Type.Union([Type.String(), Type.Null()]),
  },
  { description: 'A session of the account.' },
)

const access = { signedIn: true } as const

/** List and end the sessions of the caller. */
export function addSessionRoutes(routes: HttpServer, signIns: SignIns): void {
  routes.get(
    '/api/v1/sessions',
    {
      config: { access },
      schema: {
        operationId: 'listSessions',
        summary: 'List your sessions',
        description: 'Browser sessions and token sign-ins of programs, the current one first, then by age.',
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(SignInResponse, 'A page of sessions.') },
      },
    },
    async (request, reply) => {
      const { id: userId, current } = callerOf(request)
      const { limit } = request.query
      const page = await signIns.list({ userId, current, limit, offset: offsetOf(request.query) })
      return reply
        .header('cache-control', 'no-store')
        .send({ data: page.signIns.map(toSignInResponse), total: page.total })
    },
  )

  routes.delete(
    '/api/v1/sessions/:id',
    {
      config: { access },
      schema: {
        operationId: 'endSession',
        summary: 'End a session',
        description: 'The cookie or the tokens of the session stop working at once.',
        params: Type.Object({ id: Id }),
        response: { 204: Type.Null({ description: 'Signed out.' }) },
      },
    },
    async (request, reply) => {
      const { id: userId, current } = callerOf(request)
      const { id } = request.params
      const ended = await signIns.end({ userId, id, ...actorOf(request) })
      if (!ended) throw kernelFailure('not_found', { message: 'There is no such session.' })
      if (id === current && request.principal.method === 'session') clearSessionCookie(request, reply)
      return reply.code(204).send(null)
    },
  )

  routes.delete(
    '/api/v1/sessions',
    {
      config: { access },
      schema: {
        operationId: 'endOtherSessions',
        summary: 'End all other sessions',
        description: 'Ends all your sessions and token sign-ins except the current one. API keys stay valid.',
        response: { 204: Type.Null({ description: 'Signed out everywhere else.' }) },
      },
    },
    async (request, reply) => {
      const { id: userId, current } = callerOf(request)
      await signIns.endOthers({ userId, current, ...actorOf(request) })
      return reply.code(204).send(null)
    },
  )
}

function toSignInResponse(signIn: SignIn) {
  return {
    ...signIn,
    created_at: signIn.created_at.toISOString(),
    last_seen_at: signIn.last_seen_at.toISOString(),
    expires_at: signIn.expires_at.toISOString(),
  }
}

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
