import type { Database } from '#kernel/database'
import type { HttpServer } from '#kernel/http'
import type { Authenticate } from '../authentication/authenticate.ts'
import type { LastUsedWriter } from '../last-used-writer.ts'
import type { RequestLimits } from '../request-limits.ts'
import { addAuthorizationRoutes } from '../routes/oauth-authorizations.ts'
import { addOAuthAuthorizeRoutes } from '../routes/oauth-authorize.ts'
import { addOAuthClientRoutes } from '../routes/oauth-clients.ts'
import { addOAuthConsentRoutes } from '../routes/oauth-consent.ts'
import { addIssuedTokenRoutes } from '../routes/oauth-issued-tokens.ts'
import { addOAuthMetadataRoute } from '../routes/oauth-metadata.ts'
import { addOAuthTokenRoute } from '../routes/oauth-token.ts'
import type { SecurityEvents } from '../security-events.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { IdentitySettings } from '../settings.ts'
import type { AccessTokens } from '../tokens/access-tokens.ts'
import type { EndSignIns } from '../tokens/end-sign-ins.ts'
import type { Revocations } from '../tokens/revocations.ts'
import type { SigningKeys } from '../tokens/signing-keys.ts'
import { createAuthenticateClient } from './client-authentication.ts'
import { createClientCache } from './client-cache.ts'
import { createClients } from './clients.ts'
import { createConsents } from './consents.ts'
import { createEndReplayedGrant } from './end-replayed-grant.ts'
import { createIssuedTokens } from './issued-tokens.ts'
import { createProviders } from './providers.ts'
import { createRecords } from './records.ts'

export interface OAuthOptions {
  readonly database: Database
  readonly settings: IdentitySettings
  readonly securityEvents: SecurityEvents
  readonly sessions: Sessions
  readonly limits: RequestLimits
  readonly lastUsed: LastUsedWriter
  readonly keys: SigningKeys
  readonly accessTokens: AccessTokens
  readonly revocations: Revocations
  readonly endSignIns: EndSignIns
  /** Called after a commit that changes a client, to clear the caches of this process. */
  readonly changed: () => void
}

/** The OAuth 2.0 authorization server: clients, consents and tokens. */
export interface OAuth {
  addRoutes(routes: HttpServer, authenticate: Authenticate): void
  /** Must be called after a change of clients or accounts, on any replica. */
  readonly clearClientCache: () => void
  removeExpired(): Promise<number>
}

export function createOAuth(options: OAuthOptions): OAuth {
  const { database, settings, securityEvents, sessions, limits, lastUsed, keys, changed } = options
  const { accessTokens, revocations, endSignIns } = options
  const { publicUrl } = settings

  const clients = createClients({ database, securityEvents, changed })
  const clientCache = createClientCache({ database })
  const records = createRecords({ database, graceSeconds: settings.refreshGraceMs / 1000 })
  const consents = createConsents({ database, revocations, securityEvents })
  const endReplayedGrant = createEndReplayedGrant({ database, revocations, securityEvents })
  const providers = createProviders({
    keys,
    database,
    clients: clientCache,
    records,
    consents,
    endReplayedGrant,
  })
  const authenticateClient = createAuthenticateClient({ clients: clientCache, limits })
  const tokens = createIssuedTokens({ database, records, accessTokens, revocations, endSignIns })

  return {
    addRoutes(routes, authenticate) {
      addOAuthMetadataRoute(routes, { publicUrl })
      addOAuthAuthorizeRoutes(routes, { providers, clients: clientCache, sessions, publicUrl })
      addOAuthConsentRoutes(routes, {
        providers,
        clients: clientCache,
        consents,
        sessions,
        securityEvents,
        publicUrl,
      })
      addOAuthTokenRoute(routes, { providers, authenticateClient, limits, lastUsed, publicUrl })
      addIssuedTokenRoutes(routes, { tokens, authenticateClient, authenticate })
      addOAuthClientRoutes(routes, clients)
      addAuthorizationRoutes(routes, consents)
    },
    clearClientCache: () => clientCache.clear(),
    removeExpired: () => records.removeExpired(),
  }
}
