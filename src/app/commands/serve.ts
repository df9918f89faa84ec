import cluster from 'node:cluster'
import { createLogger } from '#kernel/telemetry'
import { openMigrated } from '../open-migrated.ts'
import { type Role, readPlatformSettings, type Settings } from '../settings.ts'
import { type RunningServer, runUntilStopped } from './run-until-stopped.ts'

/** `tutti serve`: the platform, or the part of it that the role names, in one process or in several with a supervisor. */
export async function serve(role: Role): Promise<void> {
  const settings = readPlatformSettings(process.env)
  const start = cluster.isWorker || settings.platform.processes > 1 ? startOneOfSeveral : startAlone
  await runUntilStopped(() => start(settings, role))
}

/** PostgreSQL starts first: it needs about as long as the modules of the platform, which load meanwhile. */
async function startAlone(settings: Settings, role: Role): Promise<RunningServer> {
  const { logLevel: level, logFormat: format } = settings.telemetry
  const log = createLogger({ level, format })
  await using closing = new AsyncDisposableStack()
  const starting = Promise.withResolvers<void>()
  const database = openMigrated(settings.database, log, { onStarting: () => starting.resolve() })
  closing.defer(async () => (await database.catch(() => undefined))?.close())
  await Promise.race([starting.promise, database])
  const platform = await import('./start-platform.ts')
  const server = await platform.startAlone(settings, role, log, database)
  closing.defer(() => server.close())
  const opened = closing.move()
  return { banner: server.banner, close: () => opened.disposeAsync() }
}

async function startOneOfSeveral(settings: Settings, role: Role): Promise<RunningServer> {
  const { startProcess, supervise } = await import('./start-platform.ts')
  return await (cluster.isWorker ? startProcess : supervise)(settings, role)
}
