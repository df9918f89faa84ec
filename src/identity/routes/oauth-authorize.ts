import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type HttpServer, setPagePolicy } from '#kernel/http'
import { normalizeAuthorizeQuery } from '../oauth/authorize-query.ts'
import type { ProviderResult } from '../oauth/call-provider.ts'
import type { ClientCache } from '../oauth/client-cache.ts'
import { signInFirst } from '../oauth/interaction-policy.ts'
import { renderContinuePage } from '../oauth/pages.ts'
import { resumeCookieName } from '../oauth/provider.ts'
import type { Providers } from '../oauth/providers.ts'
import { originOf } from '../security-events.ts'
import { readSessionCookie } from '../sessions/session-cookie.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { localDestination } from '../sign-in/destination.ts'
import { issuerOf } from '../tokens/issuer.ts'
import { expired, refusalOf, sendMessage, signInUrl, tooLong } from './oauth-messages.ts'

export interface OAuthAuthorizeOptions {
  readonly providers: Providers
  readonly clients: ClientCache
  readonly sessions: Sessions
  readonly publicUrl: string | undefined
}

const Text = Type.Optional(Type.String())

/** For the API description only: errors are shown on a page or sent to the application, as OAuth requires. */
const AuthorizeQuery = Type.Object({
  response_type: Type.String({ description: '`code`.' }),
  client_id: Type.String(),
  redirect_uri: Type.String({
    description: 'One of the redirect URIs of the client, exactly as registered.',
  }),
  scope: Text,
  state: Text,
  code_challenge: Text,
  code_challenge_method: Type.Optional(Type.String({ description: '`S256`.' })),
  prompt: Type.Optional(Type.String({ description: '`none` or `consent`.' })),
  response_mode: Type.Optional(Type.String({ description: '`query`.' })),
})

/** The OAuth authorization endpoint, and the endpoints that the consent and sign-in pages return to. */
export function addOAuthAuthorizeRoutes(routes: HttpServer, options: OAuthAuthorizeOptions): void {
  const { providers, clients, sessions, publicUrl } = options

  async function authorize(request: FastifyRequest, url: string): Promise<ProviderResult> {
    const { call } = await providers.of(issuerOf(request, publicUrl))
    const session = await sessions.find(readSessionCookie(request))
    return await call({
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
      config: { access: { open: 'it redirects to the sign-in page itself' } },
      schema: {
        operationId: 'authorize',
        summary: 'Start an authorization',
        description:
          'For browsers. Leads through sign-in and consent to `redirect_uri` with `code` or `error`, and with `state` and `iss`. Scopes are separated by commas, spaces or `+`; the default is all scopes of the client. Public clients must use PKCE with `S256`. For an unknown client or redirect URI the response is an error page.',
        querystring: AuthorizeQuery,
        response: {
          303: Type.Null({ description: 'Redirect to the next step or back to the application.' }),
          400: {
            description: 'An error page.',
            content: { 'text/html': { schema: Type.String() } },
          },
        },
      },
    },
    async (request, reply) => {
      const query = await normalizeAuthorizeQuery(searchOf(request), clients)
      if ([...query.values()].some((value) => value.includes('\0'))) return sendMessage(reply, refusalOf({}))
      const result = await authorize(request, `/oauth/authorize?${query.toString()}`)
      if (readError(result).error !== signInFirst) return sendResult(result, reply, refusalOf)
      const back = `/oauth/continue?${query.toString()}`
      if (localDestination(back) !== back) return sendMessage(reply, tooLong)
      return reply.header('cache-control', 'no-store').redirect(signInUrl(back), 303)
    },
  )

  routes.get(
    '/oauth/authorize/:uid',
    { config: { access: { open: 'it continues an authorization of the session' }, undocumented: true } },
    async (request, reply) => {
      const { uid } = request.params as { uid: string }
      const result = await authorize(request, `/oauth/authorize/${encodeURIComponent(uid)}`)
      return sendResult(result, reply, () => expired)
    },
  )

  routes.get(
    '/oauth/continue',
    { config: { access: { open: 'it only redirects to the authorization endpoint' }, undocumented: true } },
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

function readError({ status, body }: ProviderResult): ProviderError {
  return status < 400 ? {} : (JSON.parse(body) as ProviderError)
}

/** Forwards a redirect of the provider, and shows an error on a page. */
function sendResult(
  result: ProviderResult,
  reply: FastifyReply,
  describe: (error: ProviderError) => Parameters<typeof sendMessage>[1],
): FastifyReply {
  reply.header('cache-control', 'no-store')
  const cookies = [result.headers['set-cookie'] ?? []].flat()
  for (const cookie of cookies) {
    if (cookie.startsWith(`${resumeCookieName}=`)) reply.header('set-cookie', cookie)
  }
  const { location } = result.headers
  if (typeof location === 'string') return reply.redirect(location, 303)
  return sendMessage(reply, describe(readError(result)))
}
