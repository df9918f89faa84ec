import type { Database } from '#kernel/database'
import type { Encryption } from '#kernel/encryption'
import type { Events } from '#kernel/events'
import { type ApiDefinition, type HttpServer, type Principal, plainErrorFormat } from '#kernel/http'
import type { Limiter } from '#kernel/limits'
import type { Logger, Metrics } from '#kernel/telemetry'
import { type ApiKeyRecord, type ApiKeys, createApiKeys, maxKeys } from './api-keys/api-keys.ts'
import { createAudit } from './audit.ts'
import {
  type Authenticate,
  anonymous,
  createAccountCache,
  createAuthenticate,
} from './authentication/authenticate.ts'
import { followChanges } from './authentication/changes.ts'
import { findPeople } from './find-people.ts'
import { type SeededAdministrator, seedAdministrator, seedApiKey } from './first-start.ts'
import { createLastUsedWriter } from './last-used-writer.ts'
import { createOAuth, type OAuth } from './oauth/oauth.ts'
import { createPasswordHasher } from './passwords/password-hasher.ts'
import { createRequestLimits } from './request-limits.ts'
import { createRoles } from './roles/roles.ts'
import { addApiKeyRoutes } from './routes/api-keys.ts'
import { addAuditRoute } from './routes/audit.ts'
import { addAuthRoutes, addKeySetRoute } from './routes/auth.ts'
import { addPasswordRoute, addProfileRoutes } from './routes/profile.ts'
import { addRoleRoutes } from './routes/roles.ts'
import { addSessionRoutes, addSessionTokenRoute } from './routes/sessions.ts'
import { addSignInRoutes, addSignOutRoute } from './routes/sign-in.ts'
import { addUserRoutes } from './routes/users.ts'
import { createSecurityEvents, securityEventTypes } from './security-events.ts'
import { createAnonymousCsrfTokens } from './sessions/csrf-tokens.ts'
import { createSessions, type Sessions } from './sessions/sessions.ts'
import { createSignIns } from './sessions/sign-ins.ts'
import type { IdentitySettings } from './settings.ts'
import { createCheckPassword } from './sign-in/check-password.ts'
import { createSignInLimits, type SignInLimits } from './sign-in/sign-in-limits.ts'
import { createTiers, type Tiers } from './tiers.ts'
import { createAccessTokens } from './tokens/access-tokens.ts'
import { createEndSignIns } from './tokens/end-sign-ins.ts'
import { createRevocations, type Revocations } from './tokens/revocations.ts'
import { createSigningKeys, type SigningKeys } from './tokens/signing-keys.ts'
import { createTokenFamilies, type TokenFamilies } from './tokens/token-families.ts'
import {
  type AccountStatus,
  type ResolvedCredential,
  readAccountStatus,
  readEmailAddress,
  readTieredAccounts,
  readUsernames,
  type TieredAccount,
} from './users/account.ts'
import { createChangePassword } from './users/change-password.ts'
import { createUsers } from './users/users.ts'

export interface IdentityOptions {
  readonly database: Database
  readonly events: Pick<Events, 'append' | 'appendWithin' | 'readNewest' | 'count'>
  readonly limiter: Limiter
  readonly log: Logger
  readonly metrics: Metrics
  readonly settings: IdentitySettings
  /** Event types of other modules that the audit log includes. */
  readonly alsoAudited?: readonly string[]
  /** Encrypts the private signing keys; without it they are stored in plain text. */
  readonly encryption?: Encryption | undefined
}

/** Authentication, accounts, roles, credentials and the OAuth authorization server. */
export interface Identity extends AsyncDisposable {
  /** Authenticates a request; throws a 401 or 403 failure when its credential is not valid. */
  readonly authenticate: Authenticate
  /** The principal of routes that need no authentication. */
  readonly anonymous: Principal
  readonly api: ApiDefinition
  readonly addRoutes: (routes: HttpServer) => void
  /**
   * Creates the first account when there is none, then stores TUTTI_API_KEY. `onFirstAccount` is called right after the
   * commit with the account and its generated password, so that a later failure cannot lose the password. Throws a
   * `UserError` when TUTTI_ADMIN_USERNAME or TUTTI_ADMIN_PASSWORD is not allowed.
   */
  readonly seed: (onFirstAccount?: (account: SeededAdministrator) => void) => Promise<void>
  /** The tier and permissions of an account without a request of its own, such as the owner of a schedule. */
  readonly accountStatusOf: (accountId: string) => Promise<AccountStatus | undefined>
  /** The e-mail address of an account; undefined when it has none, is disabled or does not exist. */
  readonly emailAddressOf: (idOrUsername: string) => Promise<string | undefined>
  /** The usernames of accounts that exist, by id. */
  readonly usernamesOf: (accountIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Returns those of the named accounts and roles that exist and can sign in. */
  readonly findPeople: (named: Parameters<typeof findPeople>[1]) => ReturnType<typeof findPeople>
  /** The next enabled accounts with their tiers, in the order of their ids. */
  readonly accountsAfter: (after: string | undefined, limit: number) => Promise<readonly TieredAccount[]>
  /** The valid API keys of an account with their limits; an account has at most 100. */
  readonly apiKeysOf: (accountId: string) => Promise<readonly Pick<ApiKeyRecord, 'id' | 'name' | 'limits'>[]>
  /** The limits of each tier, and the rate policy that enforces them. */
  readonly tiers: Tiers
  /** Removes expired rows and rotates the signing key. */
  readonly cleanUp: CleanUp
}

export async function createIdentity(options: IdentityOptions): Promise<Identity> {
  const { database, events, limiter, log, metrics, encryption, settings } = options
  const { publicUrl } = settings
  const now = () => database.clock.now().getTime()
  await using opening = new AsyncDisposableStack()

  const changes = opening.use(await followChanges({ database, log }))
  const securityEvents = createSecurityEvents(events)
  const credentialCache = createAccountCache<ResolvedCredential>()
  const lastUsed = opening.use(createLastUsedWriter({ database, log }))
  const hasher = createPasswordHasher({ metrics })
  const sessions = createSessions({ database, settings })
  const anonymousCsrfTokens = createAnonymousCsrfTokens({ database, now })
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
  const keys = createSigningKeys({ database, securityEvents, encryption, log })
  const revocations = createRevocations({ database, now })
  const accessTokens = createAccessTokens({ keys, revocations, publicUrl, now })
  const endSignIns = createEndSignIns({ database, revocations, securityEvents })
  const families = createTokenFamilies({
    database,
    revocations,
    securityEvents,
    graceSeconds: settings.refreshGraceMs / 1000,
  })

  const tiers = createTiers(settings)
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
    lastUsed,
    keys,
    accessTokens,
    revocations,
    endSignIns,
    changed,
  })

  const statusCache = createAccountCache<AccountStatus>()
  changes.onPrincipals(() => credentialCache.clear())
  changes.onPrincipals(() => statusCache.clear())
  changes.onPrincipals(oauth.clearClientCache)
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
    anonymousCsrfTokens,
    checkPassword,
    apiKeys,
    accessTokens,
    credentialCache,
    lastUsed,
  })
  return {
    authenticate,
    anonymous,
    api: identityApi,
    addRoutes(routes) {
      addSignInRoutes(routes, { sessions, checkPassword, securityEvents })
      addSignOutRoute(routes, { sessions, securityEvents })
      addSessionTokenRoute(routes, { sessions, anonymousCsrfTokens })
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
    accountStatusOf: (accountId) => statusCache.find(accountId, () => readAccountStatus(database, accountId)),
    emailAddressOf: (idOrUsername) => readEmailAddress(database, idOrUsername),
    accountsAfter: (after, limit) => readTieredAccounts(database, { after, limit }),
    usernamesOf: (accountIds) => readUsernames(database, accountIds),
    findPeople: (named) => findPeople(database, named),
    apiKeysOf: async (userId) => (await apiKeys.list({ userId, limit: maxKeys, offset: 0 })).keys,
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

/** The HTTP API of identity. It also answers for every path under /api/v1 that no other API claims. */
const identityApi: ApiDefinition = {
  ...plainErrorFormat,
  name: 'identity',
  title: 'Identity',
  version: '1.0.0',
  description: 'Sign-in, sessions, API keys, tokens, OAuth 2.0, accounts and roles.',
  prefixes: ['/api/v1', '/user', '/session', '/oauth', '/.well-known'],
  // Clients of this API know a single code for a denied request, whichever rule denied it.
  errorCodes: { ...plainErrorFormat.errorCodes, permission_denied: 'insufficient_scope' },
}

/** A recurring task that one replica at a time runs. */
interface CleanUp {
  readonly name: string
  readonly everyMs: number
  readonly run: () => Promise<void>
}

interface CleanUpOptions {
  readonly log: Logger
  readonly settings: IdentitySettings
  readonly sessions: Sessions
  readonly signInLimits: SignInLimits
  readonly families: TokenFamilies
  readonly revocations: Revocations
  readonly apiKeys: ApiKeys
  readonly oauth: OAuth
  readonly keys: SigningKeys
}

/** Removes expired rows from the tables of identity and rotates the signing key by age. */
function createCleanUp(options: CleanUpOptions): CleanUp {
  const { log, settings, sessions, signInLimits, families, revocations, apiKeys, oauth, keys } = options
  return {
    name: 'identity.clean-up',
    everyMs: 10 * 60_000,
    async run() {
      const removed = {
        sessions: await sessions.removeExpired(),
        sign_in_limits: await signInLimits.removeExpired(),
        token_families: await families.removeExpired(),
        revocations: await revocations.removeExpired(),
        api_keys: await apiKeys.removeRevoked(),
        oauth_records: await oauth.removeExpired(),
        signing_keys: await keys.removeExpired(),
      }
      await keys.rotateWhenOlderThan(settings.signingKeyDays)
      log.debug(removed, 'removed expired identity records')
    },
  }
}
