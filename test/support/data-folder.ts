import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { readSettings } from '#kernel/config'
import { type Database, databaseSettings, openDatabase } from '#kernel/database'
import { createLogger } from '#kernel/telemetry'
import { quickFolder } from './quick-folder.ts'
import { markedPrefix } from './run-mark.ts'

/** A data folder of an embedded database. Its disposal also ends a server that still runs in it. */
export interface DataFolder extends AsyncDisposable {
  readonly path: string
  /** The process number of its PostgreSQL, undefined when none runs. */
  serverPid(): number | undefined
  /** Ends its PostgreSQL and waits until it is gone. */
  killServer(signal: NodeJS.Signals): Promise<void>
  open(embedded?: 'own' | 'join', environment?: Readonly<Record<string, string>>): Promise<Database>
}

export interface DataFolderOptions {
  /** The parent folder. Default: the quick folder. */
  readonly parent?: string | undefined
  readonly uid?: number
  /** A data folder to copy, such as `inject('madeDataFolder')`. Default: an empty folder. */
  readonly copyOf?: string
}

export async function createDataFolder({ parent, uid, copyOf }: DataFolderOptions = {}): Promise<DataFolder> {
  const path = await mkdtemp(join(parent ?? (await quickFolder()), markedPrefix('data')))
  if (uid !== undefined) await chown(path, uid, uid)
  if (copyOf !== undefined) await copyDatabase(copyOf, path)
  const log = createLogger({ level: 'silent', format: 'json' })

  function serverPid(): number | undefined {
    try {
      const pid = Number(readFileSync(join(path, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
      return runs(pid) ? pid : undefined
    } catch {
      return undefined
    }
  }

  async function killServer(signal: NodeJS.Signals): Promise<void> {
    const pid = serverPid()
    if (pid === undefined) return
    process.kill(pid, signal)
    while (runs(pid)) await delay(5)
  }

  return {
    path,
    serverPid,
    killServer,
    open: (embedded = 'own', environment = {}) =>
      openDatabase({
        settings: readSettings(databaseSettings, { ...environment, TUTTI_DATA_DIR: path }),
        log,
        embedded,
      }),
    async [Symbol.asyncDispose]() {
      await killServer('SIGINT')
      await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}

/**
 * Copies the database of one data folder, which must not run, into another. Making one takes five times the processor time,
 * and waits for the disk.
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-Rp', join(from, 'postgres'), join(to, 'postgres')])
}

/** The files in the folder, for tests that look for leftovers. */
export function namesIn(folder: DataFolder): Promise<string[]> {
  return readdir(folder.path)
}

/** A zombie process has ended. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
