import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type HttpServer, setPagePolicy } from '#kernel/http'
import { writeAuthorizeQuery } from '../oauth/authorize-request.ts'
import type { ProviderAnswer } from '../oauth/exchange.ts'
import { signInFirst } from '../oauth/interaction-policy.ts'
import type { KnownClients } from '../oauth/known-clients.ts'
import { renderContinuePage } from '../oauth/message-page.ts'
import { resumeCookieName } from '../oauth/provider.ts'
import type { Providers } from '../oauth/providers.ts'
import { originOf } from '../security-events.ts'
import { readSessionCookie } from '../sessions/session-cookie.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { localDestination } from '../sign-in/destination.ts'
import { issuerOf } from '../tokens/issuer.ts'
import { expired, refusalOf, sendMessage, signInAddress, tooLong } from './oauth-pages.ts'

export interface OAuthAuthorizeOptions {
  readonly providers: Providers
  readonly clients: KnownClients
  readonly sessions: Sessions
  readonly publicUrl: string | undefined
}

const Text = Type.Optional(Type.String())

/** For the description only: whatever is wrong is told as the flow tells it, by a page or at the application. */
const AuthorizeQuery = Type.Object({
  response_type: Type.String({ description: '`code`.' }),
  client_id: Type.String(),
  redirect_uri: Type.String({ description: 'One of the client’s, letter by letter.' }),
  scope: Text,
  state: Text,
  code_challenge: Text,
  code_challenge_method: Type.Optional(Type.String({ description: '`S256`.' })),
  prompt: Type.Optional(Type.String({ description: '`none` or `consent`.' })),
  response_mode: Type.Optional(Type.String({ description: '`query`.' })),
})

/** Where an application sends a person to be let in, and where the consent page sends them on. */
export function addOAuthAuthorizeRoutes(routes: HttpServer, options: OAuthAuthorizeOptions): void {
  const { providers, clients, sessions, publicUrl } = options

  async function ask(request: FastifyRequest, url: string): Promise<ProviderAnswer> {
    const { ask: askProvider } = await providers.of(issuerOf(request, publicUrl))
    const session = await sessions.find(readSessionCookie(request))
    return await askProvider({
      method: 'GET',
      url,
      cookie: request.headers.cookie,
      origin: originOf(request),
      signedIn: session && { sessionId: session.id, accountId: session.account.id },
    })
  }

  routes.get(
    '/oauth/authorize',
    {
      attachValidation: true,
      config: { access: { open: 'it leads to the sign-in page by itself' } },
      schema: {
        operationId: 'authorize',
        summary: 'Ask a person to let an application in',
        description:
          'For browsers. Leads through sign-in and consent to `redirect_uri` with `code`, or with `error`; `state` and `iss` come along. Scopes are separated by commas, spaces or `+`; without any, all of the client are asked for. PKCE with `S256`, which public clients must use. A client or redirect address that is not registered is answered with a page.',
        querystring: AuthorizeQuery,
        response: {
          303: Type.Null({ description: 'On to the next step, or back to the application.' }),
          400: {
            description: 'A page that says what is wrong with the request.',
            content: { 'text/html': { schema: Type.String() } },
          },
        },
      },
    },
    async (request, reply) => {
      const query = await writeAuthorizeQuery(searchOf(request), clients)
      if ([...query.values()].some((value) => value.includes('\0'))) return sendMessage(reply, refusalOf({}))
      const answer = await ask(request, `/oauth/authorize?${query.toString()}`)
      if (readError(answer).error !== signInFirst) return pass(answer, reply, refusalOf)
      const back = `/oauth/continue?${query.toString()}`
      if (localDestination(back) !== back) return sendMessage(reply, tooLong)
      return reply.header('cache-control', 'no-store').redirect(signInAddress(back), 303)
    },
  )

  routes.get(
    '/oauth/authorize/:uid',
    { config: { access: { open: 'it goes on with what the session began' }, undocumented: true } },
    async (request, reply) => {
      const { uid } = request.params as { uid: string }
      const answer = await ask(request, `/oauth/authorize/${encodeURIComponent(uid)}`)
      return pass(answer, reply, () => expired)
    },
  )

  routes.get(
    '/oauth/continue',
    { config: { access: { open: 'it leads to the authorization and nowhere else' }, undocumented: true } },
    async (request, reply) => {
      const nonce = setPagePolicy(reply)
      return reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(renderContinuePage({ nonce, url: `/oauth/authorize?${searchOf(request)}` }))
    },
  )
}

function searchOf({ url }: FastifyRequest): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

interface ProviderError {
  readonly error?: string
  readonly error_description?: string
}

function readError({ status, body }: ProviderAnswer): ProviderError {
  return status < 400 ? {} : (JSON.parse(body) as ProviderError)
}

/** Sends a redirect on as it is, and tells a refusal on a page. */
function pass(
  answer: ProviderAnswer,
  reply: FastifyReply,
  describe: (error: ProviderError) => Parameters<typeof sendMessage>[1],
): FastifyReply {
  reply.header('cache-control', 'no-store')
  const cookies = [answer.headers['set-cookie'] ?? []].flat()
  for (const cookie of cookies) {
    if (cookie.startsWith(`${resumeCookieName}=`)) reply.header('set-cookie', cookie)
  }
  const { location } = answer.headers
  if (typeof location === 'string') return reply.redirect(location, 303)
  return sendMessage(reply, describe(readError(answer)))
}
