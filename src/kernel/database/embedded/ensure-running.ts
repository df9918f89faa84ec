import { setTimeout as delay } from 'node:timers/promises'
import { UserError } from '#kernel/errors'
import type { Logger } from '#kernel/telemetry'
import type { Layout } from './layout.ts'
import {
  type PostmasterFile,
  postmasterStatus,
  readPostmasterFile,
  removeStaleFiles,
} from './postmaster-file.ts'
import { probeServer } from './probe-server.ts'
import { createStarter, type Starter } from './start-server.ts'

/** A server that was verified to belong to the data folder. */
export interface RunningServer {
  readonly version: string
  readonly pid: number
  readonly socketDir: string
}

/** How long a finding may last before `ensureRunning` acts on it. */
const maxFindingMs = {
  // Recovery after a crash may have to read a gigabyte of log.
  busy: 300_000,
  // The listener accepts connections and closes them.
  silent: 5000,
  // The parent reaps it at once, or never where the first process of a container does not.
  zombie: 3000,
  other: 0,
  absent: 0,
}
type Finding = keyof typeof maxFindingMs

const probeIntervalMs = 15

/**
 * Attaches to the server of this folder, or starts it.
 *
 * | on the socket                  | process id in postmaster.pid | action                                           |
 * |--------------------------------|------------------------------|--------------------------------------------------|
 * | a server with the right token  | any                          | attach                                           |
 * | a server with another token    | any                          | refuse                                           |
 * | starting, stopping, recovering | any                          | probe again                                      |
 * | a listener that disconnects    | any                          | probe again for 5 s, then refuse                 |
 * | no listener                    | runs as our server           | probe again: it is starting or stopping          |
 * | no listener                    | a zombie                     | probe again for 3 s, then remove file and start  |
 * | no listener                    | belongs to another program   | remove the file and start                        |
 * | no listener                    | dead, or there is no file    | create the database if there is none, and start  |
 *
 * Two processes may do this at the same time: PostgreSQL allows one server per folder, and the other process attaches to it.
 */
export async function ensureRunning(
  layout: Layout,
  log: Logger,
  signal: AbortSignal,
): Promise<RunningServer> {
  const starter = createStarter(layout, log)
  try {
    const server = await attachOrStart(layout, starter, signal)
    if (!starter.hasStarted())
      log.info({ postgresPid: server.pid }, 'attached to the running embedded PostgreSQL')
    return server
  } catch (error) {
    if (signal.aborted) await starter.abandon()
    throw error
  }
}

async function attachOrStart(layout: Layout, starter: Starter, signal: AbortSignal): Promise<RunningServer> {
  let seen: { readonly finding: Finding; readonly since: number } | undefined
  for (;;) {
    signal.throwIfAborted()
    const file = readPostmasterFile(layout.cluster)
    const found = await findServer(layout, file)
    if (typeof found === 'object') return found
    if (seen?.finding !== found) seen = { finding: found, since: Date.now() }
    if (Date.now() - seen.since >= maxFindingMs[found]) {
      if (found === 'busy' || found === 'silent') throw neverReady(layout, found)
      if (found === 'absent') await starter.start()
      else if (file) removeStaleFiles(layout, file.pid)
    }
    await delay(probeIntervalMs, undefined, { signal })
  }
}

async function findServer(
  layout: Layout,
  file: PostmasterFile | undefined,
): Promise<RunningServer | Finding> {
  // A server that was started with another temporary folder has its socket there.
  for (const socketDir of new Set([layout.socketDir, file?.socketDir ?? layout.socketDir])) {
    const probe = await probeServer(layout, socketDir)
    if (probe.state === 'busy' || probe.state === 'silent') return probe.state
    if (probe.state === 'ready') {
      // Read again: the server may have written the file after the first read.
      const pid = readPostmasterFile(layout.cluster)?.pid
      return pid === undefined ? 'busy' : { version: probe.version, pid, socketDir }
    }
  }
  if (file === undefined) return 'absent'
  const status = postmasterStatus(file.pid, layout.cluster)
  if (status === 'running') return 'busy'
  return status === 'dead' ? 'absent' : status
}

function neverReady({ cluster, socketDir }: Layout, found: 'busy' | 'silent'): UserError {
  const duration = `${maxFindingMs[found] / 1000} seconds`
  return new UserError(
    found === 'busy'
      ? `The database in ${cluster} did not become ready within ${duration}. See its messages in the log.`
      : `The process that listens on the socket in ${socketDir} is not PostgreSQL (it closes every connection). End it and start again.`,
  )
}
