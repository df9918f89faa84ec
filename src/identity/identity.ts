import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { HttpServer, InterfaceDefinition, Principal } from '#kernel/http'
import type { Logger, Metrics } from '#kernel/telemetry'
import { type Authenticate, createAuthenticate } from './authentication/authenticate.ts'
import { type SeededAdministrator, seedAdministrator } from './first-start/seed-administrator.ts'
import { identityInterface } from './interface.ts'
import { createPasswordHasher } from './passwords/password-hasher.ts'
import { addProfileRoute } from './routes/profile.ts'
import { addSessionTokenRoute } from './routes/session-token.ts'
import { addSignInRoutes } from './routes/sign-in.ts'
import { addSignOutRoute } from './routes/sign-out.ts'
import { createSecurityEvents } from './security-events.ts'
import { createSessions } from './sessions/sessions.ts'
import type { IdentitySettings } from './settings.ts'
import { createCheckPassword } from './sign-in/check-password.ts'
import { createSignInLimits } from './sign-in/sign-in-limits.ts'
import { anonymous } from './users/anonymous.ts'

export interface IdentityOptions {
  readonly database: Database
  readonly events: Pick<Events, 'append' | 'appendWithin'>
  readonly log: Logger
  readonly metrics: Metrics
  readonly settings: IdentitySettings
}

/** Who is asking, and how they prove it. */
export interface Identity {
  /** Finds out who sends a request; throws when its credential does not hold. */
  readonly authenticate: Authenticate
  /** Stands for whoever uses a route that asks for nobody. */
  readonly anonymous: Principal
  readonly interface: InterfaceDefinition
  readonly addRoutes: (routes: HttpServer) => void
  /** Creates the first account when there is none, and tells its password when it made one up. */
  readonly seedAdministrator: () => Promise<SeededAdministrator | undefined>
  /** Removes what is over: sessions, and memories of failed sign-ins. */
  readonly sessionCleanUp: {
    readonly name: string
    readonly everyMs: number
    readonly run: () => Promise<void>
  }
}

export function createIdentity({ database, events, log, metrics, settings }: IdentityOptions): Identity {
  const hasher = createPasswordHasher({ metrics })
  const sessions = createSessions({ database, settings })
  const limits = createSignInLimits(database)
  const securityEvents = createSecurityEvents(events)
  const checkPassword = createCheckPassword({ database, hasher, limits, securityEvents, metrics })

  return {
    authenticate: createAuthenticate({ database, sessions, checkPassword }),
    anonymous,
    interface: identityInterface,
    addRoutes(routes) {
      addSignInRoutes(routes, { sessions, checkPassword, securityEvents })
      addSignOutRoute(routes, { sessions, securityEvents })
      addSessionTokenRoute(routes, { sessions })
      addProfileRoute(routes, { database })
    },
    seedAdministrator: () => seedAdministrator({ database, events, hasher, settings, log }),
    sessionCleanUp: {
      name: 'identity.remove-expired-sessions',
      everyMs: 10 * 60_000,
      async run() {
        const removed = await sessions.removeExpired()
        const forgotten = await limits.forgetOld()
        log.debug({ sessions: removed, limits: forgotten }, 'removed expired sessions')
      },
    },
  }
}
