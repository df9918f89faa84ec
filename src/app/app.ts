import type { Cluster, ClusterDesk } from '#cluster'
import type { Identity } from '#identity'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import {
  addHealthRoutes,
  addOpenApiRoutes,
  createHttpServer,
  type HttpServer,
  type ReadinessCheck,
  registerInterface,
} from '#kernel/http'
import type { Idempotency } from '#kernel/idempotency'
import type { Limiter } from '#kernel/limits'
import type { Vitals } from '#kernel/vitals'
import type { RecurringTasks, WorkerDirectory } from '#kernel/work'
import type { Mcp } from '#mcp'
import type { Models } from '#models'
import type { Orchestra } from '#orchestra'
import type { Status } from '#status'
import type { Tours } from '#tours'
import type { Workflows } from '#workflows'
import type { Console } from './console.ts'
import type { Observers } from './observers.ts'
import { addEventRoutes } from './platform-interface/event-routes.ts'
import { platformInterface } from './platform-interface/interface.ts'
import { addMetricsRoute } from './platform-interface/metrics-route.ts'
import { addSystemRoute } from './platform-interface/system-route.ts'
import { addReferencePage } from './reference-page/reference-page.ts'
import type { Role } from './role.ts'
import { version } from './version.ts'

/** Everything the routes stand on. */
export interface Parts {
  readonly observers: Observers
  readonly vitals: Vitals
  readonly database: Database
  readonly events: Events
  readonly workers: WorkerDirectory
  readonly tasks: RecurringTasks
  readonly identity: Identity
  readonly limiter: Limiter
  readonly idempotency: Idempotency
  /** Absent when the cluster service runs elsewhere. */
  readonly cluster: Cluster | undefined
  readonly clusterDesk: ClusterDesk
  readonly models: Models
  readonly workflows: Workflows
  readonly orchestra: Orchestra
  readonly tours: Tours
  readonly status: Status
  readonly mcp: Mcp
  readonly console: Console
  readonly readiness: readonly ReadinessCheck[]
  readonly role: Role
  readonly startedAt: Date
  readonly trustedProxies: readonly string[]
  readonly poolSize: number
}

/** Callers waiting for each connection of the pool before new requests are turned away. */
const mostWaitingPerConnection = 20

/** Builds the platform's server from its parts: every capability registers its interface here. */
export async function createApp(parts: Parts): Promise<HttpServer> {
  const { observers, vitals, database, identity, models, clusterDesk, console, poolSize } = parts
  const app = await createHttpServer({
    ...observers,
    vitals,
    fallbackInterface: platformInterface,
    authenticate: identity.authenticate,
    anonymous: identity.anonymous,
    limiter: parts.limiter,
    trustedProxies: parts.trustedProxies,
    version,
    overloadedBy: () =>
      database.poolUsage().waiting > poolSize * mostWaitingPerConnection ? 'database connections' : undefined,
    sendUnknownPage: (reply) => console.sendPage(reply),
  })
  await registerInterface(app, platformInterface, async (routes) => {
    addHealthRoutes(routes, parts.readiness)
    addMetricsRoute(routes, observers.metrics, { permission: 'administer llm' })
    addSystemRoute(routes, parts)
    addEventRoutes(routes, parts.events)
    addOpenApiRoutes(routes)
    addReferencePage(routes)
    await console.addRoutes(routes)
  })
  await registerInterface(app, identity.interface, identity.addRoutes)
  await models.register(app, parts.idempotency)
  await parts.workflows.register(app)
  await parts.orchestra.register(app)
  await parts.tours.register(app, console)
  await parts.status.register(app)
  await parts.mcp.register(app)
  await registerInterface(app, clusterDesk.interface, clusterDesk.addRoutes)
  await app.ready()
  return app
}
