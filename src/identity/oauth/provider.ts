import type { EventEmitter } from 'node:events'
import type { Client, Configuration, Grant, KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Database } from '#kernel/database'
import type { Origin } from '../security-events.ts'
import { audience } from '../tokens/issuer.ts'
import { authorizationCodeSeconds, oauthTokenSeconds, refreshTokenSeconds } from '../tokens/lifetimes.ts'
import { type SigningKey, signingAlgorithm } from '../tokens/signing-keys.ts'
import { isClientSecret } from './client-secret.ts'
import type { Consents } from './consents.ts'
import type { EndReplayedGrant } from './end-replayed-grant.ts'
import { ProviderRequest } from './exchange.ts'
import { createInteractionPolicy, platformResource } from './interaction-policy.ts'
import type { KnownClients } from './known-clients.ts'
import { createProviderAdapter } from './provider-adapter.ts'
import type { Records } from './records.ts'
import { isClaimable } from './redirect-uris.ts'

export interface ProviderOptions {
  readonly database: Database
  readonly clients: KnownClients
  readonly records: Records
  readonly consents: Consents
  readonly endReplayedGrant: EndReplayedGrant
}

/** How long a person may look at the consent page. */
const interactionSeconds = 3600

/** Longer than any grant: our table says when one ends. */
const unboundedSeconds = 100 * 365 * 86_400

export const resumeCookieName = 'tutti_authorization'

/** Builds a provider for one issuer and one key; it keeps nothing itself. Loaded at first use: it is large. */
export async function buildProvider(
  issuer: string,
  key: SigningKey,
  options: ProviderOptions,
): Promise<Provider> {
  const { default: ProviderClass, errors, interactionPolicy } = await import('oidc-provider')
  const { consents, clients } = options

  async function loadGrant(ctx: KoaContextWithOIDC): Promise<Grant | undefined> {
    const { session, client, requestParamScopes, provider: asked } = ctx.oidc
    if (session?.accountId === undefined || client === undefined || mustAsk(ctx)) return undefined
    const between = { userId: session.accountId, clientId: client.clientId }
    const allowed = new Set(await consents.find(between))
    if (!requestParamScopes.isSubsetOf(allowed)) return undefined
    // Each authorization is a grant of its own, so that signing out of one leaves the others alone.
    const grant = new asked.Grant({ accountId: between.userId, clientId: between.clientId })
    grant.addResourceScope(platformResource, requestParamScopes)
    await grant.save()
    return grant
  }

  async function checkScopes(clientId: string, ctx: KoaContextWithOIDC): Promise<string> {
    const allowed = (await clients.find(clientId))?.scopes ?? []
    for (const scope of ctx.oidc.requestParamScopes) {
      if (!allowed.includes(scope)) {
        throw new errors.InvalidScope('A scope is unknown, or this client is not registered for it.', scope)
      }
    }
    return allowed.join(' ')
  }

  const configuration: Configuration = {
    adapter: createProviderAdapter({ ...options, errors, currentOrigin: () => originOf(ProviderClass.ctx) }),
    jwks: { keys: [key.privateJwk] },
    routes: { authorization: '/oauth/authorize', token: '/oauth/token' },
    responseTypes: ['code'],
    scopes: [],
    claims: {},
    clientAuthMethods: ['client_secret_post', 'none'],
    clientDefaults: { id_token_signed_response_alg: signingAlgorithm },
    clientBasedCORS: () => false,
    allowOmittingSingleRegisteredRedirectUri: false,
    pkce: { required: (_ctx, client) => client.clientAuthMethod === 'none' },
    cookies: {
      names: { resume: resumeCookieName },
      short: { httpOnly: true, sameSite: 'lax', overwrite: true, signed: false },
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => platformResource,
        useGrantedResource: () => true,
        getResourceServerInfo: async (ctx, _resource, client) => ({
          scope: await checkScopes(client.clientId, ctx),
          audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: oauthTokenSeconds,
          jwt: { sign: { alg: signingAlgorithm, kid: key.kid } },
        }),
      },
    },
    ttl: {
      AccessToken: oauthTokenSeconds,
      ClientCredentials: oauthTokenSeconds,
      AuthorizationCode: authorizationCodeSeconds,
      RefreshToken: refreshTokenSeconds,
      Interaction: interactionSeconds,
      Grant: unboundedSeconds,
    },
    extraTokenClaims: (_ctx, token) => ({ gid: 'grantId' in token ? token.grantId : token.jti }),
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    findAccount: (_ctx, accountId) => findAccount(options.database, accountId),
    loadExistingGrant: loadGrant,
    interactions: {
      policy: createInteractionPolicy(interactionPolicy, errors),
      url: (_ctx, interaction) => `/oauth/consent/${interaction.uid}`,
    },
    renderError: (ctx, out) => {
      ctx.type = 'json'
      ctx.body = out
    },
  }

  return adjust(new ProviderClass(issuer, configuration))
}

/** Changes what no setting of the provider can. */
function adjust(provider: Provider): Provider {
  // Nobody but SESS says who is signed in. A session of the provider lasts for one request and is never stored.
  provider.Session.get = async (ctx) => {
    const session = new provider.Session()
    const signedIn = ctx.req instanceof ProviderRequest ? ctx.req.signedIn : undefined
    if (signedIn !== undefined) {
      session.uid = signedIn.sessionId
      session.loginAccount({ accountId: signedIn.accountId })
    }
    return Object.defineProperty(session, 'destroyed', { value: true })
  }
  provider.Client.prototype.redirectUriAllowed = isRegistered
  provider.Client.prototype.compareClientSecret = isSecretOf
  provider.on('server_error', keepFailure)
  const unforeseen: EventEmitter = provider
  unforeseen.on('error', (error: unknown, ctx?: KoaContextWithOIDC) => keepFailure(ctx, error))
  return provider
}

/** Letter by letter: no other port, not even on this machine. */
function isRegistered(this: Client, uri: string): boolean {
  return this.redirectUris?.includes(uri) === true
}

/** What the provider takes for the secret is the hash of it. */
function isSecretOf(this: Client, secret: string): boolean {
  return this.clientSecret !== undefined && isClientSecret(secret, Buffer.from(this.clientSecret, 'hex'))
}

/** What is not the caller's fault goes on to the route, and from there into the log. */
function keepFailure(ctx: KoaContextWithOIDC | undefined, error: unknown): void {
  if (ctx?.req instanceof ProviderRequest) ctx.req.failure = error
}

/**
 * Whether a consent of before does not count: the application wants the person asked, or the code of a client that
 * proves nothing goes to a scheme or a port that any other application on the device can claim.
 */
function mustAsk({ oidc }: KoaContextWithOIDC): boolean {
  if (oidc.promptPending('consent')) return true
  const isPublic = oidc.client?.clientAuthMethod === 'none'
  return isPublic && isClaimable(String(oidc.params?.['redirect_uri'])) && oidc.result?.consent === undefined
}

function originOf(ctx: KoaContextWithOIDC | undefined): Origin {
  return ctx?.req instanceof ProviderRequest ? ctx.req.origin : { ip: 'unknown', userAgent: undefined }
}

async function findAccount(database: Database, accountId: string) {
  const [account] = await database.query<{ id: string }>(
    'select id from identity_users where id = $1 and disabled_at is null',
    [accountId],
  )
  if (account === undefined) return undefined
  return { accountId: account.id, claims: async () => ({ sub: account.id }) }
}
