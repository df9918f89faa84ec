import { createIdentity, type SeededAdministrator } from '#identity'
import { migrate, migrationState, openDatabase } from '#kernel/database'
import { createEvents } from '#kernel/events'
import { closeHttpServer, type HttpServer, type ReadinessCheck } from '#kernel/http'
import type { Logger } from '#kernel/telemetry'
import { createRecurringTasks, createWorker, createWorkerDirectory } from '#kernel/work'
import { createApp } from './app.ts'
import { startClusterService } from './cluster-service.ts'
import { openConsole } from './console.ts'
import { listen, type Place } from './listen.ts'
import { createMetricsServer } from './metrics-server.ts'
import { migrationSets } from './migrations.ts'
import { startObservers } from './observers.ts'
import type { Role } from './role.ts'
import type { Settings } from './settings.ts'

/** A platform that runs. */
export interface Platform {
  /** Where each server of this process can be opened. */
  readonly urls: {
    readonly console: string | undefined
    readonly cluster: string | undefined
    readonly metrics: string
  }
  readonly database: { readonly kind: 'embedded' | 'server'; readonly version: string }
  /** The first account, when this start created it. */
  readonly administrator: SeededAdministrator | undefined
  close(): Promise<void>
}

export interface StartOptions {
  readonly settings: Settings
  readonly role: Role
  readonly log: Logger
}

/** Starts what the role asks for, in order; closing undoes it in the opposite order. */
export async function startPlatform({ settings, role, log }: StartOptions): Promise<Platform> {
  const startedAt = new Date()
  const { platform } = settings
  await using closing = new AsyncDisposableStack()
  const serve = (server: HttpServer, place: Place): Promise<string> => {
    closing.defer(() => closeHttpServer(server, platform.closeGraceMs))
    return listen(server, place)
  }

  const observers = closing.use(await startObservers(settings, log))
  const { metrics } = observers
  const database = closing.use(await openDatabase({ settings: settings.database, log }))
  await migrate(database, migrationSets, log)
  const events = closing.use(createEvents({ database, log, metrics }))
  const identity = createIdentity({ database, events, log, metrics, settings: settings.identity })
  const administrator = await identity.seedAdministrator()

  const tasks = createRecurringTasks({ database, log })
  tasks.add(identity.sessionCleanUp)
  tasks.add({
    name: 'events.prune',
    everyMs: 3_600_000,
    run: async () => {
      await events.prune({ olderThan: new Date(Date.now() - platform.eventRetentionMs) })
    },
  })
  const worker =
    role === 'api' ? undefined : createWorker({ database, log, metrics, role, queues: [tasks.queue] })
  if (worker !== undefined) {
    closing.defer(() => worker.stop({ graceMs: platform.closeGraceMs }))
    await worker.start()
  }

  const readiness: ReadinessCheck[] = [
    { name: 'database', check: () => database.ping() },
    {
      name: 'migrations',
      check: async () => {
        const { pending } = await migrationState(database, migrationSets)
        if (pending.length > 0) throw new Error(`${pending.length} migrations are pending`)
      },
    },
  ]
  if (worker !== undefined) readiness.push({ name: 'worker', check: () => worker.check() })

  const clusterService =
    role === 'all' ? closing.use(await startClusterService(settings, observers)) : undefined
  const metricsServer = await createMetricsServer(observers, readiness)
  const metricsUrl = await serve(metricsServer, {
    host: platform.metricsHost,
    port: platform.metricsPort,
    variable: 'METRICS_PORT',
  })

  let consoleUrl: string | undefined
  if (role !== 'worker') {
    const app = await createApp({
      observers,
      database,
      events,
      workers: createWorkerDirectory(database),
      tasks,
      identity,
      cluster: clusterService?.cluster,
      console: openConsole(),
      readiness,
      role,
      startedAt,
      trustedProxies: platform.trustedProxies,
      poolSize: settings.database.poolSize,
    })
    consoleUrl = await serve(app, { host: platform.host, port: platform.port, variable: 'PORT' })
  }

  const opened = closing.move()
  return {
    urls: { console: consoleUrl, cluster: clusterService?.url, metrics: metricsUrl },
    database: { kind: database.kind, version: database.version },
    administrator,
    close: () => opened.disposeAsync(),
  }
}
