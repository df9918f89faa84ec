import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { Failure, kernelFailure } from '#kernel/errors'
import { type HttpServer, plainErrorFormat, setPagePolicy } from '#kernel/http'
import { brand, html, renderPage } from '#kernel/pages'
import { identityFailure } from '../errors.ts'
import { originOf, type SecurityEvents } from '../security-events.ts'
import { isSameToken } from '../sessions/csrf-tokens.ts'
import { clearSessionCookie, readSessionCookie, setSessionCookie } from '../sessions/session-cookie.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { CheckPassword } from '../sign-in/check-password.ts'
import { isFromAnotherSite } from '../sign-in/cross-site.ts'
import { localDestination } from '../sign-in/destination.ts'
import { isForm } from './form.ts'

export interface SignInOptions {
  readonly sessions: Sessions
  readonly checkPassword: CheckPassword
  readonly securityEvents: SecurityEvents
}

const SignInRequestBody = Type.Object({
  username: Type.String({ minLength: 1, maxLength: 256 }),
  password: Type.String({ minLength: 1, maxLength: 1024 }),
  destination: Type.Optional(Type.String({ description: 'For a form: the local path to redirect to.' })),
})

const SignInResponse = Type.Object(
  {
    user: Type.Object({ id: Type.String({ format: 'uuid' }), username: Type.String() }),
    csrf_token: Type.String({
      description: 'The CSRF token of the session, as returned by `GET /session/token`.',
    }),
  },
  { description: 'Signed in. The cookie `SESS` contains the session.' },
)

type SignInRequest = FastifyRequest<{ Body: Static<typeof SignInRequestBody> }>

export function addSignInRoutes(
  routes: HttpServer,
  { sessions, checkPassword, securityEvents }: SignInOptions,
): void {
  /** Signs in with a new cookie value, so that a value planted before the sign-in is worthless (session fixation). */
  async function signIn(request: SignInRequest, reply: FastifyReply): Promise<Static<typeof SignInResponse>> {
    if (isFromAnotherSite(request)) throw identityFailure('cross_site_request')
    if (request.validationError !== undefined) throw request.validationError
    const { username, password } = request.body
    const origin = originOf(request)
    const account = await checkPassword({ username, password, method: 'session', origin })
    const session = await sessions.begin({ account, replaces: readSessionCookie(request), ...origin })
    // The account was disabled, or its password changed, after the check.
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
        summary: 'Get the sign-in page',
        description: 'For browsers. A browser that is signed in is redirected to `destination`.',
        querystring: Type.Object(
          {
            destination: Type.Optional(
              Type.Unknown({
                description: 'The local path to redirect to after sign-in. Any other value leads to `/`.',
              }),
            ),
          },
          { additionalProperties: true },
        ),
        response: {
          200: { description: 'The page.', content: { 'text/html': { schema: Type.String() } } },
          303: Type.Null({ description: 'Already signed in: redirect to the destination.' }),
        },
      },
      // A user with a malformed query gets the page, not a validation error.
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
          'Opens a browser session and sets the cookie `SESS`. The response to a form is a redirect to `destination` or the sign-in page again; the response to JSON is JSON. After 10 failed attempts within a minute, from one IP address or for one username, the response is 429 with `Retry-After`.',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: SignInRequestBody,
        response: {
          200: SignInResponse,
          303: Type.Null({ description: 'Signed in by a form: redirect to its destination.' }),
          '4xx': {
            description: 'Not signed in: the sign-in page for a form, an error for JSON.',
            content: {
              'application/json': { schema: plainErrorFormat.errorSchema },
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

/** Sends the sign-in page with an error message, and with the status and headers of the JSON error. */
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

/** A text field of a form or a query; undefined when it is absent, repeated or not text. */
function fieldOf(fields: unknown, name: string): string | undefined {
  if (typeof fields !== 'object' || fields === null) return undefined
  const value: unknown = Object.getOwnPropertyDescriptor(fields, name)?.value
  return typeof value === 'string' ? value : undefined
}

interface SignInPage {
  readonly nonce: string
  readonly destination: string
  /** Kept in the form after a failed attempt. */
  readonly username?: string
  /** The error message. */
  readonly problem?: string
}

const styles = `
body.narrow { align-items: start; padding-top: max(16px, 16vh); }
.sign-in .brand { justify-content: center; gap: 6px; margin: 0 0 20px; }
.sign-in .card { padding: 28px 28px 32px; }
.sign-in h1 { margin: 0 0 20px; }
.sign-in input, .sign-in button { height: 40px; }
.sign-in input { border-color: var(--line-strong); }
.sign-in button { margin-top: 8px; }
.sign-in .alert {
  display: flex; gap: 10px; align-items: flex-start; padding: 10px 12px; color: var(--text);
  border-color: color-mix(in srgb, var(--wrong), transparent 55%);
  background: color-mix(in srgb, var(--wrong), transparent 92%);
}
.sign-in .alert svg { flex: none; margin-top: 3px; color: var(--wrong); }
@media (max-width: 400px) { .sign-in .card { padding: 20px; } }
`

/** The sign-in form. It works without JavaScript. */
function renderSignInPage({ nonce, destination, username = '', problem }: SignInPage): string {
  const nameKnown = username !== ''
  const described = problem === undefined ? undefined : html` aria-describedby="problem"`
  return renderPage({
    title: 'Sign in',
    nonce,
    width: 'narrow',
    styles,
    body: html`<main class="sign-in">
<p class="brand">${brand}</p>
<form class="card" method="post" action="/user/login">
<h1>Sign in</h1>
${problem === undefined ? undefined : html`<p class="alert" id="problem" role="alert">${warning}<span>${problem}</span></p>`}
<input type="hidden" name="destination" value="${destination}">
<label for="username">Username</label>
<input id="username" name="username" value="${username}" autocomplete="username" autocapitalize="none"
 autocorrect="off" spellcheck="false" maxlength="256" required${described}${nameKnown ? undefined : html` autofocus`}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024"
 required${described}${nameKnown ? html` autofocus` : undefined}>
<button type="submit">Sign in</button>
</form>
</main>`,
  })
}

const warning = html`<svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5"
 stroke-linecap="round" aria-hidden="true"><circle cx="8" cy="8" r="6.5"/><path d="M8 4.8v3.8M8 11.2v.1"/></svg>`

interface SignOutOptions {
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
