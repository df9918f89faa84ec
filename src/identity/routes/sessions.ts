import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import { askedBy } from '../asked-by.ts'
import { clearSessionCookie } from '../sessions/session-cookie.ts'
import type { SignIn, SignIns } from '../sessions/sign-ins.ts'
import { Id, listOf } from '../shapes.ts'
import { callerOf } from './caller.ts'

const SignInBody = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    kind: Type.Enum(['browser', 'token'], {
      description: '`browser`: the cookie `SESS`; `token`: a program that signed in for tokens.',
    }),
    current: Type.Boolean({ description: 'Whether this request came with it.' }),
    created_at: Type.String({ format: 'date-time' }),
    last_seen_at: Type.String({ format: 'date-time', description: 'Of a token: when it was last renewed.' }),
    expires_at: Type.String({ format: 'date-time' }),
    ip: Type.String({ description: 'Where it signed in from.' }),
    user_agent: Type.Union([Type.String(), Type.Null()]),
  },
  { description: 'Something the account is signed in with.' },
)

const access = { signedIn: true } as const

/** Where one is signed in, and signing out elsewhere. */
export function addSessionRoutes(routes: HttpServer, signIns: SignIns): void {
  routes.get(
    '/api/v1/sessions',
    {
      config: { access },
      schema: {
        operationId: 'listSessions',
        summary: 'Where one is signed in',
        description: 'Browsers and programs, the current one first, then the oldest.',
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(SignInBody, 'A page of sessions.') },
      },
    },
    async (request, reply) => {
      const { id: userId, current } = callerOf(request)
      const { limit } = request.query
      const page = await signIns.list({ userId, current, limit, offset: offsetOf(request.query) })
      return reply
        .header('cache-control', 'no-store')
        .send({ data: page.signIns.map(tellSignIn), total: page.total })
    },
  )

  routes.delete(
    '/api/v1/sessions/:id',
    {
      config: { access },
      schema: {
        operationId: 'endSession',
        summary: 'Sign out one browser or program',
        description: 'Its cookie, or its tokens, stop working at once.',
        params: Type.Object({ id: Id }),
        response: { 204: Type.Null({ description: 'Signed out.' }) },
      },
    },
    async (request, reply) => {
      const { id: userId, current } = callerOf(request)
      const { id } = request.params
      const ended = await signIns.end({ userId, id, ...askedBy(request) })
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
        summary: 'Sign out everywhere else',
        description:
          'Ends every session and every sign-in for tokens but the one this request came with. API keys stay.',
        response: { 204: Type.Null({ description: 'Signed out everywhere else.' }) },
      },
    },
    async (request, reply) => {
      const { id: userId, current } = callerOf(request)
      await signIns.endOthers({ userId, current, ...askedBy(request) })
      return reply.code(204).send(null)
    },
  )
}

function tellSignIn(signIn: SignIn) {
  return {
    ...signIn,
    created_at: signIn.created_at.toISOString(),
    last_seen_at: signIn.last_seen_at.toISOString(),
    expires_at: signIn.expires_at.toISOString(),
  }
}
