import { setTimeout as delay } from 'node:timers/promises'
import { createClusterApi, createDatabaseStore, type MeterRequest } from '#cluster'
import { createConnections } from '#connections'
import { createExecutionGauge, declareWaitingGauge, type Engine } from '#engine'
import { createAnswerLinks } from '#executions-api'
import { createIdentity, type Identity } from '#identity'
import { type Database, declareClockGauge } from '#kernel/database'
import { checkSecret, createEncryption } from '#kernel/encryption'
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
import { channelsOf, createNotifications, liveChannelsOf } from '#notifications'
import { type Agents, createOrchestra } from '#orchestra'
import {
  createDispatcher,
  createEstimates,
  createOutbox,
  createSubscribers,
  openStreamPresence,
} from '#outbox'
import { createMcpClients, createStatus, createTrafficCounter, type Status } from '#status'
import { createTours, type Tours } from '#tours'
import { createEndLookup, createTriggers, type Triggers } from '#triggers'
import { createWebhooks, type Webhooks } from '#webhooks'
import { createWorkflows } from '#workflows'
import { createApp } from './app.ts'
import { clusterOptionsOf, startClusterService } from './cluster-service.ts'
import { openConsole } from './console.ts'
import { createEventMappers, openEngine } from './engine.ts'
import { auditedEventTypes, triggeringEventTypes } from './event-types.ts'
import { listen, listenAddressesOf, type PlatformUrls } from './listen.ts'
import { openLiveSettings } from './live-settings.ts'
import { createMaintenanceTasks } from './maintenance-tasks.ts'
import { serveMetrics } from './metrics-server.ts'
import { openMigrated } from './open-migrated.ts'
import type { PlatformOverrides, RunningCluster } from './platform-overrides.ts'
import { readinessOf } from './readiness.ts'
import type { Settings } from './settings.ts'
import { createShutdownDeadline, drainTimeMs } from './shutdown-deadline.ts'
import { startTelemetry } from './telemetry.ts'
import { version } from './version.ts'

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
  readonly readiness: readonly ReadinessCheck[]
  listen(): Promise<PlatformUrls>
  /** Lets readiness fail for `CLOSE_DELAY`, then closes everything in the opposite order of the start, within the shutdown deadline. */
  close(): Promise<void>
}

/** Composes the platform: creates every part the role needs, in order. Fails without leaving anything open. */
export async function createPlatform(
  settings: Settings,
  overrides: PlatformOverrides = {},
): Promise<Platform> {
  const startedAt = new Date()
  const { role = 'all', seed = true, maintenance = true, watchProcess = true, process } = overrides
  const { logLevel: level, logFormat: format } = settings.telemetry
  const log = overrides.log ?? createLogger({ level, format, process: process?.name })
  // Reports settings that contradict each other before anything is started.
  const clusterOptions = clusterOptionsOf(settings)
  channelsOf(settings.notifications)
  const timeLeftMs = createShutdownDeadline(settings.platform.closeGraceMs)
  const drainMs = process === undefined ? 0 : drainTimeMs(settings.platform.closeGraceMs)
  await using closing = new AsyncDisposableStack()

  const telemetry = closing.use(await startTelemetry(settings, { log, watchProcess, process: process?.name }))
  const { metrics } = telemetry
  const embedded = process === undefined ? 'own' : 'join'
  const database = await (overrides.database ??
    openMigrated(settings.database, log, { embedded }).then((opened) => closing.use(opened)))
  declareClockGauge(metrics, database.clock)
  const events = closing.use(createEvents({ database, log, metrics }))
  const { wrapLimiter = (usual) => usual } = overrides
  const limiter = wrapLimiter(closing.use(createLimiter({ database, log, metrics })))
  const workers = createWorkerDirectory(database)
  closing.use(declareWaitingGauge({ database, metrics }))
  const { dataDir } = settings.database
  const metricsHistory = closing.use(
    createMetricsHistory({
      database,
      log,
      gauges: [createExecutionGauge({ database, workers, ...settings.engine })],
      version,
      settings: { dataDir, ...overrides.metricsHistory },
    }),
  )
  const encryption = createEncryption({ settings: settings.encryption, database, dataDir })
  await checkSecret({ database, encryption, settings: settings.encryption })
  const { live, liveSettings } = closing.use(
    await openLiveSettings(settings, { database, encryption, events, log }),
  )
  const identity = closing.use(
    await createIdentity({
      database,
      events,
      limiter,
      log,
      metrics,
      encryption,
      settings: live.identity,
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
        store: createDatabaseStore(database),
        identity,
        onTraffic: createTrafficCounter(metricsHistory),
        limiter,
        ownKey: process?.clusterKey,
        drainMs,
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
      settings: live.models,
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
    settings: live.webhooks,
    log,
    metrics,
  })
  const notifications = createNotifications({
    database,
    channels: () => liveChannelsOf(live.notifications),
    settings: live.notifications,
    limiter,
    addressOf: identity.emailAddressOf,
    log,
    metrics,
  })
  const watch = closing.use(
    await openStreamPresence({ database, events, log, workers, works: role !== 'api' }),
  )
  const ends = createEndLookup(database)
  const subscribers = closing.use(
    createSubscribers({
      database,
      webhooks,
      notifications,
      ends,
      hasViewers: () => watch.hasViewers(),
    }),
  )
  const outbox = createOutbox(database)
  const { publicUrl } = settings.identity
  const answerLinks = createAnswerLinks({ encryption, publicUrl, now: () => database.clock.now().getTime() })
  const { engine, agents } = await openEngine({
    settings: live.engine,
    database,
    identity,
    models,
    outbound,
    secrets: connections.reader,
    mcpTools: closing.use(
      createMcpClients({ database, encryption, outbound, settings: settings.status, version }),
    ),
    answerChannels: () => ({ ...notifications.configured, links: answerLinks.areAvailable() }),
    objects: settings.objects,
    encryption,
    hasSubscribers: subscribers.hasSubscribers,
    onOutboxEntries: () => outbox.notify(),
    wrapRunStep: overrides.runStep,
    ...(overrides.now && { now: overrides.now }),
    cancelWaitMs: overrides.cancelWaitMs,
    seed,
    log,
    metrics,
    tracing: telemetry.tracing,
  })
  closing.use(engine)
  const idempotency = closing.use(createIdempotency({ database, log, encryption }))
  const tours = createTours({ database, events, idempotency, settings: live.tours, publicUrl, log })
  const status = createStatus({
    database,
    events,
    idempotency,
    models,
    engine,
    metricsHistory,
    workers,
    encryption,
    outbound,
    notifications,
    cluster: clusterService ?? remoteCluster,
    settings: live.status,
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
    ...overrides.triggers,
  })
  if (seed) await tours.seed()
  const tasks = createMaintenanceTasks({
    database,
    events,
    tasks: [
      ...[identity, idempotency, metricsHistory].map((module) => module.cleanUp),
      ...[models, engine, webhooks, notifications, tours, status, triggers].flatMap((module) => module.tasks),
    ],
    partitions: [models.partitions],
    eventRetentionMs: settings.platform.eventRetentionMs,
    log,
  })

  let worker: Worker | undefined
  if (role !== 'api') {
    const queues = [...engine.queues, webhooks.queue, triggers.queue, ...notifications.queues]
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
      startsFlows: (accountId) => ends.startsFlows(accountId),
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
  const stopping = new AbortController()
  const readiness = readinessOf(database, worker, stopping.signal)

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
      events,
      connections,
      models,
      tiers: identity.tiers,
      limiter,
      usernamesOf: identity.usernamesOf,
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
    app = await createApp({
      ...shared,
      telemetry,
      rendered: process === undefined ? metrics : { ...metrics, render: () => process.renderMetrics() },
      metricsHistory,
      workers,
      tasks,
      identity,
      liveSettings,
      cluster: clusterService?.cluster,
      clusterApi,
      workflows: createWorkflows(shared),
      orchestra: createOrchestra({
        ...shared,
        agents,
        metricsHistory,
        system: { version, environment: settings.platform.environment },
        spentToday: models.spentToday,
        watch,
        liveStatusEveryMs: overrides.liveStatusEveryMs,
      }),
      tours,
      status,
      mcp: createMcp({ engine, version, publicUrl, log, tracing: telemetry.tracing }),
      console: overrides.console ?? openConsole(),
      readiness,
      role,
      startedAt,
      ...settings.platform,
      poolSize: settings.database.poolSize,
      addRoutes: overrides.addRoutes,
    })
    closing.defer(() => app && closeHttpServer(app, timeLeftMs(), drainMs))
  }

  const opened = closing.move()
  async function close(): Promise<void> {
    stopping.abort()
    await delay(settings.platform.closeDelayMs)
    await opened.disposeAsync()
  }
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
    readiness,
    async listen() {
      const console = app && (await listen(app, listenAddressesOf(settings).platform))
      const urls = { console, cluster: clusterService?.url, metrics: undefined }
      if (process !== undefined) return urls
      // Last: a script that waits for /readyz of this port goes on to use the platform's.
      const options = { settings, telemetry, readiness, closing: opened, timeLeftMs }
      return { ...urls, metrics: await serveMetrics(options) }
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
