import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { type HttpServer, setPagePolicy } from '#kernel/http'
import { identityFailure } from '../errors.ts'
import { renderConsentPage } from '../oauth/consent-page.ts'
import type { Consents } from '../oauth/consents.ts'
import type { KnownClients } from '../oauth/known-clients.ts'
import type { Providers } from '../oauth/providers.ts'
import { formActionOf } from '../oauth/redirect-uris.ts'
import { readScopes } from '../scopes.ts'
import { originOf, type SecurityEvents } from '../security-events.ts'
import { isSameToken } from '../sessions/csrf-token.ts'
import { clearSessionCookie, readSessionCookie } from '../sessions/session-cookie.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { isFromAnotherSite } from '../sign-in/cross-site.ts'
import { issuerOf } from '../tokens/issuer.ts'
import { expired, sendMessage, signInAddress } from './oauth-pages.ts'

export interface OAuthConsentOptions {
  readonly providers: Providers
  readonly clients: KnownClients
  readonly consents: Consents
  readonly sessions: Sessions
  readonly securityEvents: SecurityEvents
  readonly publicUrl: string | undefined
}

type Interaction = InstanceType<Provider['Interaction']>
type Session = NonNullable<Awaited<ReturnType<Sessions['find']>>>

/** A question that is open, and the person it was put to. */
interface OpenQuestion {
  readonly interaction: Interaction
  readonly session: Session
  readonly clientId: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
}

const access = {
  open: 'it checks the session itself, and the token that a form sends in its body',
} as const

/**
 * The question whether an application may use an account:
 *
 * | asked for by | it is |
 * |---|---|
 * | the session it was put to | shown, answered |
 * | another session, or nobody | put again, to whoever is signed in now |
 * | anyone, after an hour or once it is answered | expired |
 */
export function addOAuthConsentRoutes(routes: HttpServer, options: OAuthConsentOptions): void {
  const { providers, clients, consents, sessions, securityEvents, publicUrl } = options

  async function findInteraction(request: FastifyRequest): Promise<Interaction | undefined> {
    const { uid } = request.params as { uid: string }
    const { provider } = await providers.of(issuerOf(request, publicUrl))
    const interaction = await provider.Interaction.find(uid)
    return interaction?.result === undefined ? interaction : undefined
  }

  /** Answers the question when it was put to this session; else sends the answer that is due and nothing. */
  async function open(request: FastifyRequest, reply: FastifyReply): Promise<OpenQuestion | undefined> {
    const interaction = await findInteraction(request)
    if (interaction === undefined) {
      sendMessage(reply, expired)
      return undefined
    }
    const session = await sessions.find(readSessionCookie(request))
    if (session === undefined || interaction.session?.uid !== session.id) {
      reply.header('cache-control', 'no-store').redirect(againAddress(interaction), 303)
      return undefined
    }
    const { client_id: clientId, redirect_uri: redirectUri, scope } = interaction.params
    // Its owner may have taken the address away meanwhile, and the provider does not look again.
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
    const question = await open(request, reply)
    if (question === undefined) return reply
    const { interaction, session, clientId, redirectUri, scopes } = question
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
          wanted: scopes.filter((scope) => !before.includes(scope)),
          allowed: scopes.filter((scope) => before.includes(scope)),
        }),
      )
  })

  routes.post('/oauth/consent/:uid', { config: { access, undocumented: true } }, async (request, reply) => {
    const question = await open(request, reply)
    if (question === undefined) return reply
    const { interaction, session, clientId, scopes } = question
    requireToken(request, session)
    const decision = { userId: session.account.id, clientId, scopes, origin: originOf(request) }
    // Whatever is not clearly yes is no.
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
      const question = await open(request, reply)
      if (question === undefined) return reply
      const { interaction, session } = question
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
      return reply.header('cache-control', 'no-store').redirect(signInAddress(again), 303)
    },
  )
}

function requireToken(request: FastifyRequest, session: Session): void {
  if (isFromAnotherSite(request)) throw identityFailure('cross_site_request')
  if (!isSameToken(session.csrfToken, fieldOf(request, 'csrf_token'))) {
    throw identityFailure('invalid_csrf_token')
  }
}

/** The same request from its beginning: it finds out who is signed in now. */
function againAddress(interaction: Interaction): string {
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
