import type { Database } from '#kernel/database'
import type { HttpServer } from '#kernel/http'
import type { Authenticate } from '../authentication/authenticate.ts'
import type { LastUses } from '../last-uses.ts'
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
import { createClients } from './clients.ts'
import { createConsents } from './consents.ts'
import { createEndReplayedGrant } from './end-replayed-grant.ts'
import { createIssuedTokens } from './issued-tokens.ts'
import { createKnownClients } from './known-clients.ts'
import { createProviders } from './providers.ts'
import { createRecords } from './records.ts'

export interface OAuthOptions {
  readonly database: Database
  readonly settings: IdentitySettings
  readonly securityEvents: SecurityEvents
  readonly sessions: Sessions
  readonly limits: RequestLimits
  readonly lastUses: LastUses
  readonly keys: SigningKeys
  readonly accessTokens: AccessTokens
  readonly revocations: Revocations
  readonly endSignIns: EndSignIns
  /** Told after a commit that changes what somebody may rely on. */
  readonly changed: () => void
}

/** The authorization server: applications, what people allowed them, and the tokens they get. */
export interface OAuth {
  addRoutes(routes: HttpServer, authenticate: Authenticate): void
  /** To be called when clients or accounts changed anywhere. */
  readonly forgetClients: () => void
  removeExpired(): Promise<number>
}

export function createOAuth(options: OAuthOptions): OAuth {
  const { database, settings, securityEvents, sessions, limits, lastUses, keys, changed } = options
  const { accessTokens, revocations, endSignIns } = options
  const { publicUrl } = settings

  const clients = createClients({ database, securityEvents, changed })
  const knownClients = createKnownClients({ database })
  const records = createRecords({ database, graceSeconds: settings.refreshGraceMs / 1000 })
  const consents = createConsents({ database, revocations, securityEvents })
  const endReplayedGrant = createEndReplayedGrant({ database, revocations, securityEvents })
  const providers = createProviders({
    keys,
    database,
    clients: knownClients,
    records,
    consents,
    endReplayedGrant,
  })
  const authenticateClient = createAuthenticateClient({ clients: knownClients, limits })
  const tokens = createIssuedTokens({ database, records, accessTokens, revocations, endSignIns })

  return {
    addRoutes(routes, authenticate) {
      addOAuthMetadataRoute(routes, { publicUrl })
      addOAuthAuthorizeRoutes(routes, { providers, clients: knownClients, sessions, publicUrl })
      addOAuthConsentRoutes(routes, {
        providers,
        clients: knownClients,
        consents,
        sessions,
        securityEvents,
        publicUrl,
      })
      addOAuthTokenRoute(routes, { providers, authenticateClient, limits, lastUses, publicUrl })
      addIssuedTokenRoutes(routes, { tokens, authenticateClient, authenticate })
      addOAuthClientRoutes(routes, clients)
      addAuthorizationRoutes(routes, consents)
    },
    forgetClients: () => knownClients.forgetAll(),
    removeExpired: () => records.removeExpired(),
  }
}
