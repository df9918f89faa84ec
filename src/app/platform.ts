import { createClusterApi, type MeterRequest } from '#cluster'
import { createConnections } from '#connections'
import { createExecutionGauge, type Engine } from '#engine'
import { createAnswerLinks } from '#executions-api'
import { createIdentity, type Identity } from '#identity'
import { type Database, migrate, migrationState, openDatabase } from '#kernel/database'
import { createEncryption } from '#kernel/encryption'
import { createEvents, type Events } from '#kernel/events'
import { closeHttpServer, type HttpServer, type ReadinessCheck } from '#kernel/http'
import { createIdempotency } from '#kernel/idempotency'
import { createLimiter } from '#kernel/limits'
import { createMetricsHistory, type MetricsHistory } from '#kernel/metrics-history'
import { createOutbound } from '#kernel/outbound'
import { createLogger, type Metrics } from '#kernel/telemetry'
import { createWorker, createWorkerDirectory, type Worker } from '#kernel/work'
import { createMcp } from '#mcp'
import { clusterUrlOf, createModels, type Models } from '#models'
import { channelsOf, createNotifications } from '#notifications'
import { type Agents, createOrchestra } from '#orchestra'
import {
  createDispatcher,
  createEstimates,
  createOutbox,
  createSubscribers,
  openStreamPresence,
} from '#outbox'
import { createStatus, createTrafficCounter, type Status } from '#status'
import { createTours, type Tours } from '#tours'
import { createEndLookup, createTriggers, type Triggers } from '#triggers'
import { createWebhooks, type Webhooks } from '#webhooks'
import { createWorkflows } from '#workflows'
import { createApp } from './app.ts'
import { clusterOptionsOf, startClusterService } from './cluster-service.ts'
import { openConsole } from './console.ts'
import { createEventMappers, openEngine } from './engine.ts'
import { auditedEventTypes, triggeringEventTypes } from './event-types.ts'
import { listen, listenAddressesOf } from './listen.ts'
import { createMaintenanceTasks } from './maintenance-tasks.ts'
import { createMetricsServer } from './metrics-server.ts'
import { migrationSets } from './migrations.ts'
import type { PlatformOverrides, RunningCluster } from './platform-overrides.ts'
import type { Settings } from './settings.ts'
import { createShutdownDeadline } from './shutdown-deadline.ts'
import { startTelemetry } from './telemetry.ts'
import { version } from './version.ts'

/** The URL of each server of this process; undefined where the role has none. */
export interface PlatformUrls {
  readonly console: string | undefined
  readonly cluster: string | undefined
  readonly metrics: string
}

/** The composed platform. Its background work runs and its cluster service listens; the other servers listen after `listen`. */
export interface Platform extends AsyncDisposable {
  /** The server of console and APIs; undefined in the role `worker`. */
  readonly app: HttpServer | undefined
  readonly database: Database
  readonly events: Events
  readonly metrics: Metrics
  readonly metricsHistory: MetricsHistory
  readonly identity: Identity
  readonly models: Models
  readonly engine: Engine
  readonly agents: Agents
  readonly webhooks: Webhooks
  readonly tours: Tours
  readonly triggers: Triggers
  readonly status: Status
  listen(): Promise<PlatformUrls>
  /** Closes everything in the opposite order of the start, within the shutdown deadline. */
  close(): Promise<void>
}

/** Composes the platform: creates every part the role needs, in order. Fails without leaving anything open. */
export async function createPlatform(
  settings: Settings,
  overrides: PlatformOverrides = {},
): Promise<Platform> {
  const startedAt = new Date()
  const { role = 'all', seed = true, maintenance = true, watchProcess = true } = overrides
  const { platform } = settings
  const { logLevel: level, logFormat: format } = settings.telemetry
  const log = overrides.log ?? createLogger({ level, format })
  // Reports settings that contradict each other before anything is started.
  const clusterOptions = clusterOptionsOf(settings)
  const channels = channelsOf(settings.notifications)
  const timeLeftMs = createShutdownDeadline(platform.closeGraceMs)
  await using closing = new AsyncDisposableStack()

  const telemetry = closing.use(await startTelemetry(settings, { log, watchProcess }))
  const { metrics } = telemetry
  const database = overrides.database ?? closing.use(await openDatabase({ settings: settings.database, log }))
  if (overrides.database === undefined) await migrate(database, migrationSets, log)
  const events = closing.use(createEvents({ database, log, metrics }))
  const limiter = closing.use(createLimiter({ database, log, metrics }))
  const workers = createWorkerDirectory(database)
  const { executionConcurrency } = settings.engine
  const { dataDir } = settings.database
  const metricsHistory = closing.use(
    createMetricsHistory({
      database,
      log,
      gauges: [createExecutionGauge({ database, workers, executionConcurrency })],
      settings: { dataDir, ...overrides.metricsHistory },
    }),
  )
  const encryption = createEncryption({ settings: settings.encryption, database, dataDir })
  const identity = closing.use(
    await createIdentity({
      database,
      events,
      limiter,
      log,
      metrics,
      encryption,
      settings: settings.identity,
      alsoAudited: auditedEventTypes,
    }),
  )
  // Before the first server listens: a server that responds accepts the first account and TUTTI_API_KEY.
  if (seed) await identity.seed(overrides.onFirstAccount)
  let clusterService: RunningCluster | undefined
  // The models need the address of the cluster service, which charges its requests through them.
  const meter = Promise.withResolvers<MeterRequest>()
  if (typeof overrides.clusterService === 'object') clusterService = overrides.clusterService
  else if (role === 'all' && overrides.clusterService !== 'remote') {
    clusterService = closing.use(
      await startClusterService(settings, clusterOptions, telemetry, timeLeftMs, {
        identity,
        onTraffic: createTrafficCounter(metricsHistory),
        limiter,
        meter: async (request) => await (await meter.promise)(request),
      }),
    )
  }
  const remoteCluster = { url: clusterUrlOf(settings.models), apiKey: settings.cluster.apiKey }
  const models = closing.use(
    await createModels({
      database,
      events,
      encryption,
      tiers: identity.tiers,
      apiKeysOf: identity.apiKeysOf,
      limiter,
      cluster: clusterService?.cluster,
      clusterService: clusterService ?? remoteCluster,
      sessionHeader: settings.cluster.sessionHeader,
      settings: settings.models,
      log,
      metrics,
      tracing: telemetry.tracing,
      ...overrides.models,
    }),
  )
  meter.resolve(models.meterRequest)
  const outbound = createOutbound({ allow: settings.outbound.allow, log, metrics })
  const connections = createConnections({ database, encryption, events, outbound })
  const webhooks = createWebhooks({
    database,
    encryption,
    outbound,
    accountStatusOf: identity.accountStatusOf,
    settings: settings.webhooks,
    log,
    metrics,
  })
  const notifications = createNotifications({
    database,
    channels,
    retentionMs: settings.notifications.retentionMs,
    log,
    metrics,
  })
  const watch = closing.use(
    await openStreamPresence({ database, events, log, workers, works: role !== 'api' }),
  )
  const startsFlows = createEndLookup(database)
  const subscribers = closing.use(
    createSubscribers({
      database,
      webhooks,
      notifications,
      startsFlows,
      hasViewers: () => watch.hasViewers(),
    }),
  )
  const outbox = createOutbox(database)
  const { engine, agents } = await openEngine({
    settings: settings.engine,
    database,
    identity,
    models,
    outbound,
    secrets: connections.reader,
    hasSubscribers: subscribers.hasSubscribers,
    onOutboxEntries: () => outbox.notify(),
    wrapRunStep: overrides.runStep,
    ...(overrides.now && { now: overrides.now }),
    seed,
    log,
    tracing: telemetry.tracing,
  })
  closing.use(engine)
  const idempotency = closing.use(createIdempotency({ database, log, encryption }))
  const { publicUrl } = settings.identity
  const answerLinks = createAnswerLinks({ encryption, publicUrl })
  const tours = createTours({ database, events, idempotency, settings: settings.tours, publicUrl, log })
  const status = createStatus({
    database,
    events,
    idempotency,
    models,
    engine,
    metricsHistory: metricsHistory,
    workers,
    encryption,
    outbound,
    notifications,
    cluster: clusterService ?? remoteCluster,
    settings: settings.status,
    dataDir,
    startedAt,
    version,
    publicUrl,
    log,
    metrics,
    ...overrides.status,
  })
  const triggers = createTriggers({
    database,
    encryption,
    events,
    engine,
    limiter,
    accountStatusOf: identity.accountStatusOf,
    eventTypes: triggeringEventTypes,
    log,
  })
  if (seed) await tours.seed()
  const tasks = createMaintenanceTasks({
    database,
    events,
    tasks: [
      identity.cleanUp,
      idempotency.cleanUp,
      metricsHistory.cleanUp,
      ...[models, engine, webhooks, notifications, tours, status, triggers].flatMap((module) => module.tasks),
    ],
    eventRetentionMs: platform.eventRetentionMs,
    log,
  })

  let worker: Worker | undefined
  if (role !== 'api') {
    const queues = [...engine.queues, webhooks.queue, ...notifications.queues]
    const started = createWorker({
      database,
      log,
      metrics,
      role,
      queues: maintenance ? [tasks.queue, ...queues] : queues,
    })
    closing.defer(() => started.stop({ graceMs: timeLeftMs() }))
    await started.start()
    worker = started
    const estimate = createEstimates(engine)
    const publishers = createEventMappers({
      database,
      engine,
      events,
      webhooks,
      notifications,
      subscribers,
      estimate,
      startsFlows,
      watch,
      identity,
      models,
      publicUrl,
      answerLinks,
      log,
    })
    closing.use(
      createDispatcher({ engine, outbox, webhooks, subscribers, estimate, publishers, log, metrics }),
    )
  }
  const readiness = readinessOf(database, worker)

  let app: HttpServer | undefined
  if (role !== 'worker') {
    const clusterApi = closing.use(
      createClusterApi({
        cluster: clusterService?.cluster,
        elsewhere: remoteCluster,
        events,
        log,
        ...overrides.clusterApi,
      }),
    )
    const shared = {
      database,
      engine,
      connections,
      models,
      tiers: identity.tiers,
      worker,
      idempotency,
      answerLinks,
      webhooks,
      notifications,
      triggers,
      addressOf: identity.emailAddressOf,
      outbound,
      publicUrl,
    }
    const served = await createApp({
      telemetry,
      metricsHistory,
      database,
      events,
      workers,
      tasks,
      identity,
      limiter,
      idempotency,
      cluster: clusterService?.cluster,
      clusterApi,
      models,
      workflows: createWorkflows(shared),
      orchestra: createOrchestra({
        ...shared,
        agents,
        metricsHistory: metricsHistory,
        system: { version, environment: platform.environment },
        spentToday: models.spentToday,
        limiter,
        events,
        watch,
      }),
      tours,
      status,
      mcp: createMcp({ engine, version, publicUrl, log, tracing: telemetry.tracing }),
      console: openConsole(),
      readiness,
      role,
      startedAt,
      trustedProxies: platform.trustedProxies,
      poolSize: settings.database.poolSize,
      addRoutes: overrides.addRoutes,
    })
    closing.defer(() => closeHttpServer(served, timeLeftMs()))
    app = served
  }

  const addresses = listenAddressesOf(settings)
  const opened = closing.move()
  const close = () => opened.disposeAsync()
  return {
    app,
    database,
    events,
    metrics,
    metricsHistory,
    identity,
    models,
    engine,
    agents,
    webhooks,
    tours,
    triggers,
    status,
    async listen() {
      const consoleUrl = app && (await listen(app, addresses.platform))
      const metricsServer = await createMetricsServer(telemetry, readiness)
      opened.defer(() => closeHttpServer(metricsServer, timeLeftMs()))
      // Last: a script that waits for /readyz of this port goes on to use the platform's.
      const metricsUrl = await listen(metricsServer, addresses.metrics)
      return { console: consoleUrl, cluster: clusterService?.url, metrics: metricsUrl }
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The conditions under which this process can do its work. */
function readinessOf(database: Database, worker: Worker | undefined): readonly ReadinessCheck[] {
  const checks: ReadinessCheck[] = [
    { name: 'database', check: () => database.ping() },
    {
      name: 'migrations',
      check: async () => {
        const { pending } = await migrationState(database, migrationSets)
        if (pending.length > 0) throw new Error(`${pending.length} pending`)
      },
    },
  ]
  return worker === undefined ? checks : [...checks, { name: 'worker', check: () => worker.check() }]
}
