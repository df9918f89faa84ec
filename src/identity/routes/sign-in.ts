import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { Failure, kernelFailure } from '#kernel/errors'
import { type HttpServer, plainVoice, setPagePolicy } from '#kernel/http'
import { identityFailure } from '../errors.ts'
import { originOf, type SecurityEvents } from '../security-events.ts'
import { readSessionCookie, setSessionCookie } from '../sessions/session-cookie.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { CheckPassword } from '../sign-in/check-password.ts'
import { isFromAnotherSite } from '../sign-in/cross-site.ts'
import { localDestination } from '../sign-in/destination.ts'
import { renderSignInPage, type SignInPage } from '../sign-in/sign-in-page.ts'
import { isForm } from './form.ts'

export interface SignInOptions {
  readonly sessions: Sessions
  readonly checkPassword: CheckPassword
  readonly securityEvents: SecurityEvents
}

const SignInBody = Type.Object({
  username: Type.String({ minLength: 1, maxLength: 256 }),
  password: Type.String({ minLength: 1, maxLength: 1024 }),
  destination: Type.Optional(Type.String({ description: 'Of a form: the local path to go to afterwards.' })),
})

const SignedInBody = Type.Object(
  {
    user: Type.Object({ id: Type.String({ format: 'uuid' }), username: Type.String() }),
    csrf_token: Type.String({ description: 'What `GET /session/token` returns for this session.' }),
  },
  { description: 'Signed in; the cookie `SESS` holds the session.' },
)

type SignInRequest = FastifyRequest<{ Body: Static<typeof SignInBody> }>

export function addSignInRoutes(
  routes: HttpServer,
  { sessions, checkPassword, securityEvents }: SignInOptions,
): void {
  /** Signs in and gives the browser a session whose value nobody could have known before. */
  async function signIn(request: SignInRequest, reply: FastifyReply): Promise<Static<typeof SignedInBody>> {
    if (isFromAnotherSite(request)) throw identityFailure('cross_site_request')
    if (request.validationError !== undefined) throw request.validationError
    const { username, password } = request.body
    const origin = originOf(request)
    const account = await checkPassword({ username, password, method: 'session', origin })
    const session = await sessions.begin({ account, replaces: readSessionCookie(request), ...origin })
    // Disabled, or given another password, in the instant since it was checked.
    if (session === undefined) throw identityFailure('invalid_credentials')
    await securityEvents.append({
      type: 'identity.signed_in',
      subject: account.id,
      account: account.id,
      origin,
      data: { method: 'session' },
    })
    setSessionCookie(request, reply, session)
    return { user: { id: account.id, username: account.username }, csrf_token: session.csrfToken }
  }

  async function signInByForm(request: SignInRequest, reply: FastifyReply): Promise<FastifyReply> {
    const destination = localDestination(fieldOf(request.body, 'destination'))
    try {
      await signIn(request, reply)
    } catch (thrown) {
      const failure = thrown === request.validationError ? incompleteForm() : thrown
      if (!(failure instanceof Failure)) throw failure
      return sendProblem(reply, failure, { destination, username: fieldOf(request.body, 'username') })
    }
    return reply.redirect(destination, 303)
  }

  routes.get(
    '/user/login',
    {
      config: { access: { open: 'this is where one signs in' } },
      schema: {
        operationId: 'readSignInPage',
        summary: 'The sign-in page',
        description: 'For browsers. A browser that is signed in is sent on to `destination`.',
        querystring: Type.Object(
          {
            destination: Type.Optional(
              Type.Unknown({
                description: 'The local path to go to afterwards. Anything else leads to `/`.',
              }),
            ),
          },
          { additionalProperties: true },
        ),
        response: {
          200: { description: 'The page.', content: { 'text/html': { schema: Type.String() } } },
          303: Type.Null({ description: 'Signed in already: on to the destination.' }),
        },
      },
      // A person who came by a strange address is shown the page, and not what is wrong with the address.
      attachValidation: true,
    },
    async (request, reply) => {
      const destination = localDestination(fieldOf(request.query, 'destination'))
      const session = await sessions.find(readSessionCookie(request))
      return session === undefined ? sendPage(reply, { destination }) : reply.redirect(destination, 303)
    },
  )

  routes.post(
    '/user/login',
    {
      attachValidation: true,
      config: { access: { open: 'this is where one signs in' } },
      schema: {
        operationId: 'signIn',
        summary: 'Sign in with username and password',
        description:
          'Opens a session for a browser and sets the cookie `SESS`. A form is answered with a redirect to `destination`, or with the sign-in page again; JSON with JSON. After 10 failed attempts within a minute, from one address or for one username, the answer is 429 with `Retry-After`.',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: SignInBody,
        response: {
          200: SignedInBody,
          303: Type.Null({ description: 'Signed in by a form: on to its destination.' }),
          '4xx': {
            description: 'Not signed in: for a form the page again, for JSON the error.',
            content: {
              'application/json': { schema: plainVoice.errorSchema },
              'text/html': { schema: Type.String() },
            },
          },
        },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      if (isForm(request)) return await signInByForm(request, reply)
      return reply.send(await signIn(request, reply))
    },
  )
}

function incompleteForm(): Failure {
  return kernelFailure('invalid_input', { message: 'Enter your username and your password.' })
}

function sendPage(reply: FastifyReply, page: Omit<SignInPage, 'nonce'>): FastifyReply {
  const nonce = setPagePolicy(reply)
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(renderSignInPage({ ...page, nonce }))
}

/** The page again, for a person; with the status and the headers that a tool would look at. */
function sendProblem(
  reply: FastifyReply,
  failure: Failure,
  { destination, username }: { readonly destination: string; readonly username: string | undefined },
): FastifyReply {
  reply.code(failure.status)
  if (failure.status === 401) reply.header('www-authenticate', 'Bearer realm="tutti"')
  if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', String(failure.retryAfterSeconds))
  return sendPage(reply, {
    destination,
    problem: failure.message,
    ...(username !== undefined && { username }),
  })
}

/** A text field of a form or a query; sent twice, or not as text, it counts as absent. */
function fieldOf(fields: unknown, name: string): string | undefined {
  if (typeof fields !== 'object' || fields === null) return undefined
  const value: unknown = Object.getOwnPropertyDescriptor(fields, name)?.value
  return typeof value === 'string' ? value : undefined
}
