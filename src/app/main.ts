import { createClusterDesk, operatorEventTypes } from '#cluster'
import { createExecutionGauge } from '#engine'
import { createIdentity, type SeededAdministrator } from '#identity'
import { migrate, openDatabase } from '#kernel/database'
import { createEvents } from '#kernel/events'
import { closeHttpServer, type HttpServer } from '#kernel/http'
import { createIdempotency } from '#kernel/idempotency'
import { createLimiter } from '#kernel/limits'
import { createOutbound } from '#kernel/outbound'
import { createSealing } from '#kernel/sealing'
import type { Logger } from '#kernel/telemetry'
import { createVitals } from '#kernel/vitals'
import { createWorker, createWorkerDirectory } from '#kernel/work'
import { createMcp } from '#mcp'
import { clusterUrlOf, createModels, modelsOperatorEventTypes } from '#models'
import { channelsOf, createNotices } from '#notices'
import { createOrchestra, openWatch } from '#orchestra'
import { createAudience, createDispatcher, createEstimates } from '#runs'
import { createStatus, createTrafficCounter, statusOperatorEventTypes } from '#status'
import { auditedTourEventTypes, createTours } from '#tours'
import { createWebhooks } from '#webhooks'
import { createWorkflows } from '#workflows'
import { createApp } from './app.ts'
import { clusterOptionsOf, startClusterService } from './cluster-service.ts'
import { openConsole } from './console.ts'
import { openEngine } from './engine.ts'
import { createGrace } from './grace.ts'
import { listen } from './listen.ts'
import { createMetricsServer } from './metrics-server.ts'
import { migrationSets } from './migrations.ts'
import { startObservers } from './observers.ts'
import { type Place, placesOf } from './places.ts'
import { readinessOf } from './readiness.ts'
import type { Role } from './role.ts'
import type { Settings } from './settings.ts'
import { createTellings } from './tellings.ts'
import { createUpkeep } from './upkeep.ts'
import { version } from './version.ts'

/** A platform that runs. */
export interface Platform {
  /** Where each server of this process can be opened. */
  readonly urls: {
    readonly console: string | undefined
    readonly cluster: string | undefined
    readonly metrics: string
  }
  readonly database: { readonly kind: 'embedded' | 'server'; readonly version: string }
  close(): Promise<void>
}

export interface StartOptions {
  readonly settings: Settings
  readonly role: Role
  readonly log: Logger
  /**
   * Called when this start has created the first account, as soon as it exists. A generated password is known only here: it must
   * be shown at once, because a later step of the start can still fail.
   */
  readonly onFirstAccount: (account: SeededAdministrator) => void
}

/** Starts what the role asks for, in order; closing undoes it in the opposite order. */
export async function startPlatform({
  settings,
  role,
  log,
  onFirstAccount,
}: StartOptions): Promise<Platform> {
  const startedAt = new Date()
  const { platform } = settings
  const places = placesOf(settings)
  // Settings that contradict each other are told before anything is started.
  const clusterOptions = clusterOptionsOf(settings)
  const channels = channelsOf(settings.notices)
  const graceLeftMs = createGrace(platform.closeGraceMs)
  await using closing = new AsyncDisposableStack()
  const serve = (server: HttpServer, place: Place): Promise<string> => {
    closing.defer(() => closeHttpServer(server, graceLeftMs()))
    return listen(server, place)
  }

  const observers = closing.use(await startObservers(settings, log))
  const { metrics } = observers
  const database = closing.use(await openDatabase({ settings: settings.database, log }))
  await migrate(database, migrationSets, log)
  const events = closing.use(createEvents({ database, log, metrics }))
  const limiter = closing.use(createLimiter({ database, log, metrics }))
  const workers = createWorkerDirectory(database)
  const { executionConcurrency } = settings.engine
  const vitals = closing.use(
    createVitals({
      database,
      log,
      gauges: [createExecutionGauge({ database, workers, executionConcurrency })],
      settings: { dataDir: settings.database.dataDir },
    }),
  )
  const sealing = createSealing({ settings: settings.sealing, database, dataDir: settings.database.dataDir })
  const identity = closing.use(
    await createIdentity({
      database,
      events,
      limiter,
      log,
      metrics,
      sealing,
      settings: settings.identity,
      alsoAudited: [
        ...operatorEventTypes,
        ...modelsOperatorEventTypes,
        ...statusOperatorEventTypes,
        ...auditedTourEventTypes,
      ],
    }),
  )
  // Before the first server listens: a server that answers accepts the first account and TUTTI_API_KEY.
  await identity.seed(onFirstAccount)
  const clusterService =
    role === 'all'
      ? closing.use(
          await startClusterService(settings, clusterOptions, observers, graceLeftMs, {
            identity,
            onTraffic: createTrafficCounter(vitals),
          }),
        )
      : undefined
  const elsewhere = { url: clusterUrlOf(settings.models), apiKey: settings.cluster.apiKey }
  const models = closing.use(
    await createModels({
      database,
      events,
      sealing,
      tiers: identity.tiers,
      cluster: clusterService?.cluster,
      clusterService: clusterService ?? elsewhere,
      sessionHeader: settings.cluster.sessionHeader,
      settings: settings.models,
      log,
      metrics,
    }),
  )
  const outbound = createOutbound({ allow: settings.outbound.allow, log, metrics })
  const webhooks = createWebhooks({
    database,
    sealing,
    outbound,
    standingOf: identity.standingOf,
    settings: settings.webhooks,
    log,
    metrics,
  })
  const notices = createNotices({
    database,
    channels,
    retentionMs: settings.notices.retentionMs,
    log,
    metrics,
  })
  const { addressOf } = identity
  const watch = closing.use(await openWatch({ database, events, log, workers, works: role !== 'api' }))
  const audience = closing.use(
    createAudience({ database, webhooks, notices, isWatched: () => watch.isWatched() }),
  )
  const { publishes } = audience
  const { engine, agents } = await openEngine({
    settings,
    database,
    identity,
    models,
    outbound,
    publishes,
    log,
  })
  closing.use(engine)
  const idempotency = closing.use(createIdempotency({ database, log, sealing }))
  const { publicUrl } = settings.identity
  const tours = createTours({
    database,
    events,
    idempotency,
    settings: settings.tours,
    publicUrl,
    log,
  })
  const status = createStatus({
    database,
    events,
    idempotency,
    models,
    engine,
    vitals,
    workers,
    sealing,
    outbound,
    notices,
    cluster: clusterService ?? elsewhere,
    settings: settings.status,
    dataDir: settings.database.dataDir,
    startedAt,
    version,
    publicUrl,
    log,
    metrics,
  })
  await tours.seed()
  const tasks = createUpkeep({
    database,
    events,
    identity,
    models,
    engine,
    webhooks,
    notices,
    tours,
    status,
    vitals,
    idempotency,
    log,
    eventRetentionMs: platform.eventRetentionMs,
  })

  const worker =
    role === 'api'
      ? undefined
      : createWorker({
          database,
          log,
          metrics,
          role,
          queues: [tasks.queue, ...engine.queues, webhooks.queue, ...notices.queues],
        })
  if (worker !== undefined) {
    closing.defer(() => worker.stop({ graceMs: graceLeftMs() }))
    await worker.start()
    const estimate = createEstimates(engine)
    const tellings = createTellings({
      database,
      engine,
      events,
      webhooks,
      notices,
      audience,
      estimate,
      watch,
      identity,
      models,
      addressOf,
      publicUrl,
      log,
    })
    closing.use(createDispatcher({ engine, webhooks, audience, estimate, tellings, log, metrics }))
  }
  const readiness = readinessOf(database, worker)

  let consoleUrl: string | undefined
  if (role !== 'worker') {
    const clusterDesk = closing.use(
      createClusterDesk({
        cluster: clusterService?.cluster,
        elsewhere,
        events,
        log,
      }),
    )
    const shared = {
      database,
      engine,
      models,
      tiers: identity.tiers,
      worker,
      idempotency,
      webhooks,
      notices,
      addressOf,
      outbound,
      publicUrl,
    }
    const app = await createApp({
      observers,
      vitals,
      database,
      events,
      workers,
      tasks,
      identity,
      limiter,
      idempotency,
      cluster: clusterService?.cluster,
      clusterDesk,
      models,
      workflows: createWorkflows(shared),
      orchestra: createOrchestra({
        ...shared,
        agents,
        vitals,
        system: { version, environment: platform.environment },
        spentToday: models.spentToday,
        limiter,
        events,
        watch,
      }),
      tours,
      status,
      mcp: createMcp({ engine, version, publicUrl, log }),
      console: openConsole(),
      readiness,
      role,
      startedAt,
      trustedProxies: platform.trustedProxies,
      poolSize: settings.database.poolSize,
    })
    consoleUrl = await serve(app, places.platform)
  }

  // Last: a script that waits for this port's /readyz goes on to use the platform's.
  const metricsUrl = await serve(await createMetricsServer(observers, readiness), places.metrics)
  const opened = closing.move()
  return {
    urls: { console: consoleUrl, cluster: clusterService?.url, metrics: metricsUrl },
    database: { kind: database.kind, version: database.version },
    close: () => opened.disposeAsync(),
  }
}
