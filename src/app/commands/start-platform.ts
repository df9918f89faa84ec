import type { SeededAdministrator } from '#identity'
import { type Database, superviseEmbedded } from '#kernel/database'
import { createLogger, type Logger } from '#kernel/telemetry'
import { clusterOptionsOf, createClusterKey } from '../cluster-service.ts'
import type { PlatformUrls } from '../listen.ts'
import { createPlatform } from '../platform.ts'
import { serveSupervised, supervisorName } from '../processes/serve-supervised.ts'
import { connectToSupervisor, processVariables, shareSettings } from '../processes/serving-process.ts'
import { recordRunning } from '../running-platform.ts'
import type { Role, Settings } from '../settings.ts'
import { startTelemetry } from '../telemetry.ts'
import { type RunningServer, writeBanner } from './run-until-stopped.ts'

/** One process that is the whole `tutti serve`. */
export async function startAlone(
  settings: Settings,
  role: Role,
  log: Logger,
  database: Promise<Database>,
): Promise<RunningServer> {
  await using closing = new AsyncDisposableStack()
  const platform = closing.use(
    await createPlatform(settings, { role, log, database, onFirstAccount: printFirstSignIn }),
  )
  const urls = await platform.listen()
  recordEmbedded(settings, urls, closing)
  const opened = closing.move()
  return {
    banner: describeServing(role, urls, platform.database),
    close: () => opened.disposeAsync(),
  }
}

/** One of the processes of a supervisor. */
export async function startProcess(settings: Settings, role: Role): Promise<RunningServer> {
  const supervisor = connectToSupervisor()
  await using closing = new AsyncDisposableStack()
  closing.defer(() => supervisor.disconnect())
  const platform = closing.use(
    await createPlatform(shareSettings(settings), {
      role,
      process: supervisor.process,
      onFirstAccount: printFirstSignIn,
    }),
  )
  const { kind, version } = platform.database
  supervisor.reportStarted(platform, { urls: await platform.listen(), database: { kind, version } })
  const opened = closing.move()
  return { banner: undefined, close: () => opened.disposeAsync() }
}

/** The supervisor serves the metrics of all processes and owns the embedded database; everything else is theirs. */
export async function supervise(settings: Settings, role: Role): Promise<RunningServer> {
  const { logLevel: level, logFormat: format } = settings.telemetry
  const log = createLogger({ level, format, process: supervisorName })
  const processes = countProcesses(settings, log)
  // Reports settings that contradict each other before anything is started.
  clusterOptionsOf(settings)
  const clusterKey = createClusterKey()
  await using closing = new AsyncDisposableStack()
  const telemetry = closing.use(
    await startTelemetry(settings, { log, watchProcess: true, process: supervisorName }),
  )
  closing.use(await superviseEmbedded({ settings: settings.database, log }))
  const { urls, database } = await serveSupervised({
    settings,
    telemetry,
    count: processes,
    environmentOf: (it) => ({ [processVariables.name]: it, [processVariables.clusterKey]: clusterKey }),
    closing,
  })
  recordEmbedded(settings, urls, closing)
  const opened = closing.move()
  return {
    banner: describeServing(role, urls, database, processes),
    close: () => opened.disposeAsync(),
  }
}

/** The embedded PostgreSQL allows 100 connections, of which each process opens at least seven. */
const maxEmbeddedProcesses = 12

function countProcesses({ platform, database }: Settings, log: Logger): number {
  if (database.databaseUrl !== undefined || platform.processes <= maxEmbeddedProcesses)
    return platform.processes
  log.warn(
    { processes: maxEmbeddedProcesses },
    `the embedded database has connections for ${maxEmbeddedProcesses} processes; set DATABASE_URL for more`,
  )
  return maxEmbeddedProcesses
}

function recordEmbedded({ database }: Settings, urls: PlatformUrls, closing: AsyncDisposableStack): void {
  if (database.databaseUrl !== undefined) return
  closing.use(recordRunning(database.dataDir, process.env, urls))
}

function describeServing(
  role: Role,
  { console: url, cluster: clusterUrl, metrics }: PlatformUrls,
  database: { readonly kind: 'embedded' | 'server'; readonly version: string } | undefined,
  processes?: number,
): string {
  return writeBanner({
    name: role === 'all' ? 'Tutti' : `Tutti ${role}`,
    rows: [
      ['Console', url],
      ['API reference', url && `${url}/docs`],
      ['Model cluster', clusterUrl],
      ['Metrics', `${metrics}/metrics`],
      ['Database', database && describeDatabase(database)],
      ['Processes', processes?.toString()],
    ],
  })
}

function describeDatabase({ kind, version }: { kind: 'embedded' | 'server'; version: string }): string {
  return `PostgreSQL ${version}, ${kind === 'embedded' ? 'embedded' : 'your server'}`
}

function printFirstSignIn({ username, generatedPassword }: SeededAdministrator): void {
  const how =
    generatedPassword === undefined
      ? `${username}, with the password of TUTTI_ADMIN_PASSWORD`
      : `${username} / ${generatedPassword}   (shown only this once)`
  console.log(`\n  First sign-in  ${how}`)
}
