import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSettings } from '#kernel/config'
import { type Database, databaseSettings, embeddedDatabaseUrl, openDatabase } from '#kernel/database'
import { createLogger, type Logger } from '#kernel/telemetry'

export const quiet: Logger = createLogger({ level: 'error', format: 'json' })

export interface BenchDatabase extends AsyncDisposable {
  readonly database: Database
  /** For child processes of a benchmark. */
  readonly url: string
}

/** The embedded PostgreSQL with its default settings and durable commits, in a temporary folder. */
export async function openBenchDatabase(): Promise<BenchDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tutti-bench-'))
  await using closing = new AsyncDisposableStack()
  closing.defer(() => rm(dataDir, { recursive: true, force: true }))
  const settings = readSettings(databaseSettings, { TUTTI_DATA_DIR: dataDir })
  const database = closing.use(await openDatabase({ settings, log: quiet }))
  const opened = closing.move()
  return {
    database,
    url: embeddedDatabaseUrl(dataDir),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
