import type { Cluster, ClusterApi } from '#cluster'
import type { Identity } from '#identity'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import {
  addHealthRoutes,
  addOpenApiRoutes,
  createHttpServer,
  type HttpServer,
  type ReadinessCheck,
  registerApi,
} from '#kernel/http'
import type { Idempotency } from '#kernel/idempotency'
import type { Limiter } from '#kernel/limits'
import type { LiveSettings } from '#kernel/live-settings'
import type { MetricsHistory } from '#kernel/metrics-history'
import type { RecurringTasks, WorkerDirectory } from '#kernel/work'
import type { Mcp } from '#mcp'
import type { Models } from '#models'
import type { Notifications } from '#notifications'
import type { Orchestra } from '#orchestra'
import type { Status } from '#status'
import type { Tours } from '#tours'
import type { Workflows } from '#workflows'
import type { Console } from './console.ts'
import { addNearLimitsRoute } from './near-limits-api.ts'
import {
  addEventRoutes,
  addMetricsRoute,
  addSystemRoute,
  platformApi,
  type RenderedMetrics,
} from './platform-api.ts'
import { addReferencePage } from './reference-page.ts'
import type { Role } from './settings.ts'
import { addSettingsRoutes } from './settings-api.ts'
import type { Telemetry } from './telemetry.ts'
import { version } from './version.ts'

/** The parts the routes use. */
export interface Parts {
  readonly telemetry: Telemetry
  /** The metrics that /metrics serves. */
  readonly rendered: RenderedMetrics
  readonly metricsHistory: MetricsHistory
  readonly database: Database
  readonly events: Events
  readonly workers: WorkerDirectory
  readonly tasks: RecurringTasks
  readonly identity: Identity
  readonly limiter: Limiter
  readonly liveSettings: LiveSettings
  readonly notifications: Notifications
  readonly idempotency: Idempotency
  /** Undefined when the cluster service runs in another process. */
  readonly cluster: Cluster | undefined
  readonly clusterApi: ClusterApi
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
  readonly maxStreamsPerAccount: number
  readonly loopDelayLimitMs: number
  /** Registers further routes, after those of the platform. */
  readonly addRoutes: ((app: HttpServer) => Promise<void>) | undefined
}

/** Waiting queries per connection of the pool above which new requests are rejected. */
const maxWaitingPerConnection = 20

/** Creates the server of console and APIs: every module registers its API here. */
export async function createApp(parts: Parts): Promise<HttpServer> {
  const { telemetry, metricsHistory, database, identity, models, clusterApi, console, poolSize } = parts
  const app = await createHttpServer({
    ...telemetry,
    metricsHistory: metricsHistory,
    fallbackApi: platformApi,
    authenticate: identity.authenticate,
    anonymous: identity.anonymous,
    limiter: parts.limiter,
    trustedProxies: parts.trustedProxies,
    version,
    exhaustedResource: () =>
      database.poolUsage().waiting > poolSize * maxWaitingPerConnection ? 'database connections' : undefined,
    loopDelayLimitMs: parts.loopDelayLimitMs,
    isContended: () => database.poolUsage().waiting > poolSize,
    maxStreamsPerAccount: parts.maxStreamsPerAccount,
    sendNotFoundPage: (reply) => console.sendPage(reply),
  })
  await registerApi(app, platformApi, async (routes) => {
    addHealthRoutes(routes, parts.readiness)
    addMetricsRoute(routes, parts.rendered, { permission: 'administer llm' })
    addSystemRoute(routes, parts)
    addEventRoutes(routes, parts.events)
    addSettingsRoutes(routes, parts)
    addNearLimitsRoute(routes, parts)
    addOpenApiRoutes(routes)
    addReferencePage(routes)
    await console.addRoutes(routes)
  })
  await registerApi(app, identity.api, identity.addRoutes)
  await models.register(app, parts.idempotency)
  await parts.workflows.register(app)
  await parts.orchestra.register(app)
  await parts.tours.register(app, console)
  await parts.status.register(app)
  await parts.mcp.register(app)
  await registerApi(app, clusterApi.api, clusterApi.addRoutes)
  await parts.addRoutes?.(app)
  await app.ready()
  return app
}
