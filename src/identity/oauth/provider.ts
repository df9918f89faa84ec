import type { EventEmitter } from 'node:events'
import type { Client, Configuration, Grant, KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Database } from '#kernel/database'
import type { Origin } from '../security-events.ts'
import { audience } from '../tokens/issuer.ts'
import { authorizationCodeSeconds, oauthTokenSeconds, refreshTokenSeconds } from '../tokens/lifetimes.ts'
import { type SigningKey, signingAlgorithm } from '../tokens/signing-key.ts'
import { ProviderRequest } from './call-provider.ts'
import { isClientSecret } from './client.ts'
import type { ClientCache } from './client-cache.ts'
import type { Consents } from './consents.ts'
import type { EndReplayedGrant } from './end-replayed-grant.ts'
import { createInteractionPolicy, platformResource } from './interaction-policy.ts'
import { createProviderAdapter } from './provider-adapter.ts'
import type { Records } from './records.ts'
import { isClaimable } from './redirect-uris.ts'

export interface ProviderOptions {
  readonly database: Database
  readonly clients: ClientCache
  readonly records: Records
  readonly consents: Consents
  readonly endReplayedGrant: EndReplayedGrant
}

/** How long the consent page stays valid. */
const interactionSeconds = 3600

/** Practically unlimited: the expiry of a grant is in our table. */
const unboundedSeconds = 100 * 365 * 86_400

export const resumeCookieName = 'tutti_authorization'

/** Builds a stateless provider for one issuer and one signing key. The library is large, so it is imported at first use. */
export async function buildProvider(
  issuer: string,
  key: SigningKey,
  options: ProviderOptions,
): Promise<Provider> {
  const { default: ProviderClass, errors, interactionPolicy } = await import('oidc-provider')
  const { consents, clients } = options

  async function loadGrant(ctx: KoaContextWithOIDC): Promise<Grant | undefined> {
    const { session, client, requestParamScopes, provider } = ctx.oidc
    if (session?.accountId === undefined || client === undefined || needsNewConsent(ctx)) return undefined
    const { accountId } = session
    const { clientId } = client
    const allowed = new Set(await consents.find({ userId: accountId, clientId }))
    if (!requestParamScopes.isSubsetOf(allowed)) return undefined
    // Each authorization is a separate grant, so that revoking one leaves the others valid.
    const grant = new provider.Grant({ accountId, clientId })
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

/** Overrides behaviour that the provider's configuration cannot change. */
function adjust(provider: Provider): Provider {
  // Only the cookie SESS identifies the user. A provider session lasts for one request and is never stored.
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
  const emitter: EventEmitter = provider
  emitter.on('error', (error: unknown, ctx?: KoaContextWithOIDC) => keepFailure(ctx, error))
  return provider
}

/** Exact comparison: unlike the provider's default, not even the port may differ on localhost. */
function isRegistered(this: Client, uri: string): boolean {
  return this.redirectUris?.includes(uri) === true
}

/** The provider's `clientSecret` is the hex hash of the secret. */
function isSecretOf(this: Client, secret: string): boolean {
  return this.clientSecret !== undefined && isClientSecret(secret, Buffer.from(this.clientSecret, 'hex'))
}

/** Passes internal errors to the route, which throws and logs them. */
function keepFailure(ctx: KoaContextWithOIDC | undefined, error: unknown): void {
  if (ctx?.req instanceof ProviderRequest) ctx.req.failure = error
}

/**
 * Whether an earlier consent does not count: the client sent `prompt=consent`, or it is a public client whose redirect
 * URI has a scheme or a port that another application on the device can claim.
 */
function needsNewConsent({ oidc }: KoaContextWithOIDC): boolean {
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
