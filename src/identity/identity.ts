import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { HttpServer, InterfaceDefinition, Principal } from '#kernel/http'
import type { Limiter } from '#kernel/limits'
import type { Sealing } from '#kernel/sealing'
import type { Logger, Metrics } from '#kernel/telemetry'
import { createApiKeys } from './api-keys/api-keys.ts'
import { createAudit } from './audit/audit.ts'
import { type Authenticate, createAuthenticate } from './authentication/authenticate.ts'
import { followChanges } from './authentication/changes.ts'
import { createKnown, type KnownCredential } from './authentication/known-credentials.ts'
import { type CleanUp, createCleanUp } from './clean-up.ts'
import { type SeededAdministrator, seedAdministrator } from './first-start/seed-administrator.ts'
import { seedApiKey } from './first-start/seed-api-key.ts'
import { identityInterface } from './interface.ts'
import { createLastUses } from './last-uses.ts'
import { createOAuth } from './oauth/oauth.ts'
import { createPasswordHasher } from './passwords/password-hasher.ts'
import { createRequestLimits } from './request-limits.ts'
import { createRoles } from './roles/roles.ts'
import { addApiKeyRoutes } from './routes/api-keys.ts'
import { addAuditRoute } from './routes/audit.ts'
import { addAuthRoutes } from './routes/auth.ts'
import { addKeySetRoute } from './routes/keys.ts'
import { addPasswordRoute } from './routes/password.ts'
import { addProfileRoutes } from './routes/profile.ts'
import { addRoleRoutes } from './routes/roles.ts'
import { addSessionTokenRoute } from './routes/session-token.ts'
import { addSessionRoutes } from './routes/sessions.ts'
import { addSignInRoutes } from './routes/sign-in.ts'
import { addSignOutRoute } from './routes/sign-out.ts'
import { addUserRoutes } from './routes/users.ts'
import { createSecurityEvents, securityEventTypes } from './security-events.ts'
import { createAnonymousTokens } from './sessions/anonymous-token.ts'
import { createSessions } from './sessions/sessions.ts'
import { createSignIns } from './sessions/sign-ins.ts'
import type { IdentitySettings } from './settings.ts'
import { createCheckPassword } from './sign-in/check-password.ts'
import { createSignInLimits } from './sign-in/sign-in-limits.ts'
import { createTiers, type Tiers } from './tiers/tiers.ts'
import { createAccessTokens } from './tokens/access-tokens.ts'
import { createEndSignIns } from './tokens/end-sign-ins.ts'
import { createRevocations } from './tokens/revocations.ts'
import { createSigningKeys } from './tokens/signing-keys.ts'
import { createTokenFamilies } from './tokens/token-families.ts'
import { readAddress } from './users/address.ts'
import { anonymous } from './users/anonymous.ts'
import { createChangePassword } from './users/change-password.ts'
import { type AccountStanding, readStanding } from './users/standing.ts'
import { createUsers } from './users/users.ts'

export interface IdentityOptions {
  readonly database: Database
  readonly events: Pick<Events, 'append' | 'appendWithin' | 'readNewest' | 'count'>
  readonly limiter: Limiter
  readonly log: Logger
  readonly metrics: Metrics
  readonly settings: IdentitySettings
  /** Events of others that the audit log tells as well, by their types. */
  readonly alsoAudited?: readonly string[]
  /** Seals the private signing keys; without it they are stored as they are. */
  readonly sealing?: Sealing | undefined
}

/** Who is asking, and how they prove it. */
export interface Identity extends AsyncDisposable {
  /** Finds out who sends a request; throws when its credential does not hold. */
  readonly authenticate: Authenticate
  /** Stands for whoever uses a route that asks for nobody. */
  readonly anonymous: Principal
  readonly interface: InterfaceDefinition
  readonly addRoutes: (routes: HttpServer) => void
  /**
   * Creates the first account when there is none, then stores TUTTI_API_KEY. `onFirstAccount` gets the account as soon as it is
   * committed, with its password if that was generated: no later step can lose it.
   */
  readonly seed: (onFirstAccount?: (account: SeededAdministrator) => void) => Promise<void>
  /** What is known of an account that is not asking, such as one whose work is done later; undefined when there is none. */
  readonly standingOf: (accountId: string) => Promise<AccountStanding | undefined>
  /** Where the person of an account gets mail; undefined when nobody knows, or the account is gone or disabled. */
  readonly addressOf: (accountId: string) => Promise<string | undefined>
  /** How much each tier allows, and counting by it. */
  readonly tiers: Tiers
  /** Removes what is over, and sees to a signing key that is not too old. */
  readonly cleanUp: CleanUp
}

export async function createIdentity(options: IdentityOptions): Promise<Identity> {
  const { database, events, limiter, log, metrics, sealing, settings } = options
  const { publicUrl } = settings
  await using opening = new AsyncDisposableStack()

  const changes = opening.use(await followChanges({ database, log }))
  const securityEvents = createSecurityEvents(events)
  const known = createKnown<KnownCredential>()
  const lastUses = opening.use(createLastUses({ database, log }))
  const hasher = createPasswordHasher({ metrics })
  const sessions = createSessions({ database, settings })
  const anonymousTokens = createAnonymousTokens({ database })
  const signInLimits = createSignInLimits(database)
  const limits = createRequestLimits(limiter)
  const checkPassword = createCheckPassword({
    database,
    hasher,
    limits: signInLimits,
    securityEvents,
    metrics,
  })
  const changed = () => changes.principalsChanged()
  const apiKeys = createApiKeys({ database, securityEvents, changed })
  const keys = createSigningKeys({ database, securityEvents, sealing, log })
  const revocations = createRevocations({ database })
  const accessTokens = createAccessTokens({ keys, revocations, publicUrl })
  const endSignIns = createEndSignIns({ database, revocations, securityEvents })
  const families = createTokenFamilies({
    database,
    revocations,
    securityEvents,
    graceSeconds: settings.refreshGraceMs / 1000,
  })

  const tiers = createTiers(settings.customTier)
  const users = createUsers({ database, hasher, endSignIns, securityEvents, changed })
  const roles = createRoles({ database, securityEvents, changed })
  const signIns = createSignIns({ database, revocations, securityEvents })
  const changePassword = createChangePassword({
    database,
    hasher,
    checkPassword,
    signIns,
    securityEvents,
    changed,
  })

  const oauth = createOAuth({
    database,
    settings,
    securityEvents,
    sessions,
    limits,
    lastUses,
    keys,
    accessTokens,
    revocations,
    endSignIns,
    changed,
  })

  const standings = createKnown<AccountStanding>()
  changes.onPrincipals(() => known.forgetAll())
  changes.onPrincipals(() => standings.forgetAll())
  changes.onPrincipals(oauth.forgetClients)
  changes.onSigningKeys(() => keys.reload())
  changes.onRevoked(
    (id) => revocations.add(id),
    () => revocations.reloadAll(),
  )
  await revocations.reloadAll()

  const opened = opening.move()
  const authenticate = createAuthenticate({
    database,
    sessions,
    anonymousTokens,
    checkPassword,
    apiKeys,
    accessTokens,
    known,
    lastUses,
  })
  return {
    authenticate,
    anonymous,
    interface: identityInterface,
    addRoutes(routes) {
      addSignInRoutes(routes, { sessions, checkPassword, securityEvents })
      addSignOutRoute(routes, { sessions, securityEvents })
      addSessionTokenRoute(routes, { sessions, anonymousTokens })
      addAuthRoutes(routes, {
        checkPassword,
        accessTokens,
        families,
        endSignIns,
        limits,
        securityEvents,
        publicUrl,
      })
      addKeySetRoute(routes, keys)
      addProfileRoutes(routes, { database, users, tiers })
      addPasswordRoute(routes, changePassword)
      addSessionRoutes(routes, signIns)
      addApiKeyRoutes(routes, apiKeys)
      addUserRoutes(routes, users)
      addRoleRoutes(routes, roles)
      const types = [...securityEventTypes, ...(options.alsoAudited ?? [])]
      addAuditRoute(routes, { audit: createAudit({ database, events, types }), types })
      oauth.addRoutes(routes, authenticate)
    },
    async seed(onFirstAccount) {
      const administrator = await seedAdministrator({ database, events, hasher, settings, log })
      if (administrator !== undefined) onFirstAccount?.(administrator)
      await seedApiKey({ database, apiKey: settings.apiKey, log })
    },
    standingOf: (accountId) => standings.find(accountId, () => readStanding(database, accountId)),
    addressOf: (accountId) => readAddress(database, accountId),
    tiers,
    cleanUp: createCleanUp({
      log,
      settings,
      sessions,
      signInLimits,
      families,
      revocations,
      apiKeys,
      oauth,
      keys,
    }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
