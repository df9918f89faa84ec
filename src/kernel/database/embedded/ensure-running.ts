import { setTimeout as delay } from 'node:timers/promises'
import { UserMistake } from '#kernel/errors'
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

/** A server that has proved to be ours. */
export interface RunningServer {
  readonly version: string
  readonly pid: number
  readonly socketDir: string
}

/** How long one and the same finding is waited out before something is done about it. */
const patienceMs = {
  // Recovery after a crash may have a gigabyte of log to read.
  busy: 300_000,
  // It takes connections and hangs up.
  silent: 5000,
  // Collected by its parent at once, or never where the first process of a container does not care.
  zombie: 3000,
  other: 0,
  absent: 0,
}
type Finding = keyof typeof patienceMs

const lookEveryMs = 15

/**
 * Attaches to the server of this folder, or starts it.
 *
 * | on the socket                  | number in postmaster.pid   | then                                               |
 * |--------------------------------|----------------------------|----------------------------------------------------|
 * | a server, its token fits       | any                        | attach                                             |
 * | a server, its token is wrong   | any                        | refuse                                             |
 * | starting, stopping, recovering | any                        | look again                                         |
 * | somebody who just hangs up     | any                        | look again for 5 s, then refuse                    |
 * | nobody                         | runs as our server         | look again: it is on its way up or down            |
 * | nobody                         | a zombie                   | look again for 3 s, then remove the file and start |
 * | nobody                         | belongs to another program | remove the file and start                          |
 * | nobody                         | dead, or there is no file  | make the database if there is none, and start      |
 *
 * Two processes may do this at once: PostgreSQL lets one server have the folder, and the other process attaches to it.
 */
export async function ensureRunning(
  layout: Layout,
  log: Logger,
  signal: AbortSignal,
): Promise<RunningServer> {
  const starter = createStarter(layout, log)
  try {
    const server = await lookOrStart(layout, starter, signal)
    if (!starter.hasStarted())
      log.info({ postgresPid: server.pid }, 'using the embedded PostgreSQL that is already running')
    return server
  } catch (error) {
    if (signal.aborted) await starter.abandon()
    throw error
  }
}

async function lookOrStart(layout: Layout, starter: Starter, signal: AbortSignal): Promise<RunningServer> {
  let seen: { readonly finding: Finding; readonly since: number } | undefined
  for (;;) {
    signal.throwIfAborted()
    const file = readPostmasterFile(layout.cluster)
    const found = await lookForServer(layout, file)
    if (typeof found === 'object') return found
    if (seen?.finding !== found) seen = { finding: found, since: Date.now() }
    if (Date.now() - seen.since >= patienceMs[found]) {
      if (found === 'busy' || found === 'silent') throw neverReady(layout, found)
      if (found === 'absent') await starter.start()
      else if (file) removeStaleFiles(layout, file.pid)
    }
    await delay(lookEveryMs, undefined, { signal })
  }
}

async function lookForServer(
  layout: Layout,
  file: PostmasterFile | undefined,
): Promise<RunningServer | Finding> {
  // A server started with another temporary folder has its socket there.
  for (const socketDir of new Set([layout.socketDir, file?.socketDir ?? layout.socketDir])) {
    const probe = await probeServer(layout, socketDir)
    if (probe.state === 'busy' || probe.state === 'silent') return probe.state
    if (probe.state === 'ready') {
      // Read again: when it was read before, the server may not have been there.
      const pid = readPostmasterFile(layout.cluster)?.pid
      return pid === undefined ? 'busy' : { version: probe.version, pid, socketDir }
    }
  }
  if (file === undefined) return 'absent'
  const status = postmasterStatus(file.pid, layout.cluster)
  if (status === 'running') return 'busy'
  return status === 'dead' ? 'absent' : status
}

function neverReady({ cluster, socketDir }: Layout, found: 'busy' | 'silent'): UserMistake {
  const patience = `${patienceMs[found] / 1000} seconds`
  return new UserMistake(
    found === 'busy'
      ? `The database in ${cluster} has not become ready within ${patience}. Its messages are in the log.`
      : `Something that is not PostgreSQL listens on the socket in ${socketDir} (it only hangs up). End it and start again.`,
  )
}
