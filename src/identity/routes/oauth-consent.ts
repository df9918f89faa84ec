import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { type HttpServer, setPagePolicy } from '#kernel/http'
import { identityFailure } from '../errors.ts'
import type { ClientCache } from '../oauth/client-cache.ts'
import type { Consents } from '../oauth/consents.ts'
import { renderConsentPage } from '../oauth/pages.ts'
import type { Providers } from '../oauth/providers.ts'
import { formActionOf } from '../oauth/redirect-uris.ts'
import { readScopes } from '../scopes.ts'
import { originOf, type SecurityEvents } from '../security-events.ts'
import { isSameToken } from '../sessions/csrf-tokens.ts'
import { clearSessionCookie, readSessionCookie } from '../sessions/session-cookie.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { isFromAnotherSite } from '../sign-in/cross-site.ts'
import { issuerOf } from '../tokens/issuer.ts'
import { expired, sendMessage, signInUrl } from './oauth-messages.ts'

export interface OAuthConsentOptions {
  readonly providers: Providers
  readonly clients: ClientCache
  readonly consents: Consents
  readonly sessions: Sessions
  readonly securityEvents: SecurityEvents
  readonly publicUrl: string | undefined
}

type Interaction = InstanceType<Provider['Interaction']>
type Session = NonNullable<Awaited<ReturnType<Sessions['find']>>>

/** A consent request that awaits a decision, and the session it belongs to. */
interface PendingConsent {
  readonly interaction: Interaction
  readonly session: Session
  readonly clientId: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
}

const access = {
  open: 'it checks the session and the CSRF token of the form itself',
} as const

/**
 * The consent page of the authorization server:
 *
 * | request of | result |
 * |---|---|
 * | the session that started the authorization | the page is shown, the decision accepted |
 * | another session, or none | the authorization starts again for the user who is signed in now |
 * | any session, after an hour or after the decision | expired |
 */
export function addOAuthConsentRoutes(routes: HttpServer, options: OAuthConsentOptions): void {
  const { providers, clients, consents, sessions, securityEvents, publicUrl } = options

  async function findInteraction(request: FastifyRequest): Promise<Interaction | undefined> {
    const { uid } = request.params as { uid: string }
    const { provider } = await providers.of(issuerOf(request, publicUrl))
    const interaction = await provider.Interaction.find(uid)
    return interaction?.result === undefined ? interaction : undefined
  }

  /** Returns the pending consent of this session; otherwise sends the response itself and returns undefined. */
  async function findPending(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<PendingConsent | undefined> {
    const interaction = await findInteraction(request)
    if (interaction === undefined) {
      sendMessage(reply, expired)
      return undefined
    }
    const session = await sessions.find(readSessionCookie(request))
    if (session === undefined || interaction.session?.uid !== session.id) {
      reply.header('cache-control', 'no-store').redirect(restartUrl(interaction), 303)
      return undefined
    }
    const { client_id: clientId, redirect_uri: redirectUri, scope } = interaction.params
    // The owner of the client may have removed the redirect URI meanwhile; the provider does not check it again.
    const client = await clients.find(String(clientId))
    if (client?.redirectUris.includes(String(redirectUri)) !== true) {
      sendMessage(reply, expired)
      return undefined
    }
    return {
      interaction,
      session,
      clientId: String(clientId),
      redirectUri: String(redirectUri),
      scopes: readScopes(String(scope)),
    }
  }

  routes.get('/oauth/consent/:uid', { config: { access, undocumented: true } }, async (request, reply) => {
    const pending = await findPending(request, reply)
    if (pending === undefined) return reply
    const { interaction, session, clientId, redirectUri, scopes } = pending
    const client = await clients.find(clientId)
    if (client === undefined) return sendMessage(reply, expired)
    const before = await consents.find({ userId: session.account.id, clientId })
    const nonce = setPagePolicy(reply, { formActions: [formActionOf(redirectUri)] })
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(
        renderConsentPage({
          nonce,
          uid: interaction.uid,
          csrfToken: session.csrfToken,
          clientName: client.name,
          owner: client.owner,
          redirectUri,
          username: session.account.username,
          requested: scopes.filter((scope) => !before.includes(scope)),
          allowed: scopes.filter((scope) => before.includes(scope)),
        }),
      )
  })

  routes.post('/oauth/consent/:uid', { config: { access, undocumented: true } }, async (request, reply) => {
    const pending = await findPending(request, reply)
    if (pending === undefined) return reply
    const { interaction, session, clientId, scopes } = pending
    requireToken(request, session)
    const decision = { userId: session.account.id, clientId, scopes, origin: originOf(request) }
    // Any value other than `approve` denies the request.
    if (fieldOf(request, 'decision') === 'approve') {
      await consents.give(decision)
      interaction.result = { consent: {} }
    } else {
      await consents.refuse(decision)
      interaction.result = { error: 'access_denied', error_description: 'The request was denied.' }
    }
    await interaction.persist()
    return reply.header('cache-control', 'no-store').redirect(`/oauth/authorize/${interaction.uid}`, 303)
  })

  routes.post(
    '/oauth/consent/:uid/another-account',
    { config: { access, undocumented: true } },
    async (request, reply) => {
      const pending = await findPending(request, reply)
      if (pending === undefined) return reply
      const { interaction, session } = pending
      requireToken(request, session)
      const cookieValue = readSessionCookie(request)
      if (cookieValue !== undefined) await sessions.end(cookieValue)
      await securityEvents.append({
        type: 'identity.signed_out',
        subject: session.account.id,
        account: session.account.id,
        origin: originOf(request),
        data: { method: 'session' },
      })
      clearSessionCookie(request, reply)
      const again = `/oauth/continue?${queryOf(interaction)}`
      return reply.header('cache-control', 'no-store').redirect(signInUrl(again), 303)
    },
  )
}

function requireToken(request: FastifyRequest, session: Session): void {
  if (isFromAnotherSite(request)) throw identityFailure('cross_site_request')
  if (!isSameToken(session.csrfToken, fieldOf(request, 'csrf_token'))) {
    throw identityFailure('invalid_csrf_token')
  }
}

/** The URL that starts the same authorization again, for the user who is signed in now. */
function restartUrl(interaction: Interaction): string {
  return `/oauth/authorize?${queryOf(interaction)}`
}

function queryOf({ params }: Interaction): string {
  const texts = Object.entries(params).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[0] !== 'resource',
  )
  return new URLSearchParams(texts).toString()
}

function fieldOf({ body }: FastifyRequest, name: string): unknown {
  if (typeof body !== 'object' || body === null) return undefined
  return Object.getOwnPropertyDescriptor(body, name)?.value
}
