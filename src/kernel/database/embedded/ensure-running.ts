import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { UserError } from '#kernel/errors'
import type { Logger } from '#kernel/telemetry'
import { locateBinaries } from './binaries.ts'
import { hasCluster, initialiseCluster } from './initialise-cluster.ts'
import type { Layout } from './layout.ts'
import {
  type PostmasterFile,
  postmasterStatus,
  readPostmasterFile,
  removeStaleFiles,
} from './postmaster-file.ts'
import { probeServer } from './probe-server.ts'
import { createPrograms } from './programs.ts'
import { chooseRunAs } from './run-as.ts'
import { startArguments } from './server-options.ts'

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
 * `onStarting` is called whenever a program of PostgreSQL was started.
 */
export async function ensureRunning(
  layout: Layout,
  log: Logger,
  signal: AbortSignal,
  onStarting = () => {},
): Promise<RunningServer> {
  const starter = createStarter(layout, log, onStarting)
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

interface Starter {
  /** Starts the server of a folder, unless the previously started one still runs. Throws a `UserError` when the start failed. */
  start(): Promise<void>
  hasStarted(): boolean
  /** Ends a started server that is no longer needed before it was ready. */
  abandon(): Promise<void>
}

/** How long a start is retried while an ending server still has the folder locked. */
const maxRetryMs = 20_000
const lockedByAnother = /lock file .* already exists|pre-existing shared memory block/

function createStarter(layout: Layout, log: Logger, onStarting: () => void): Starter {
  let started: { readonly child: ChildProcess; readonly output: ServerLog } | undefined
  let failingSince: number | undefined

  async function handleFailedStart(child: ChildProcess, output: ServerLog): Promise<void> {
    failingSince ??= Date.now()
    // The last lines of output may arrive after the process has ended.
    await Promise.race([once(child, 'close'), delay(200)])
    const shouldRetry = lockedByAnother.test(output.lastLines()) && Date.now() - failingSince < maxRetryMs
    if (!shouldRetry) throw new UserError(`The embedded PostgreSQL does not start:\n${output.lastLines()}`)
    await delay(100)
  }

  return {
    hasStarted: () => started !== undefined,

    async abandon() {
      if (!started || hasEnded(started.child)) return
      // Signals the process itself, because it may not have written its postmaster.pid yet.
      started.child.kill('SIGINT')
      await once(started.child, 'exit')
    },

    async start() {
      if (started) {
        const { child, output } = started
        if (!hasEnded(child)) return
        started = undefined
        return handleFailedStart(child, output)
      }
      const programs = createPrograms(await chooseRunAs(layout, locateBinaries()), onStarting)
      if (hasCluster(layout)) await programs.takeOver(layout.cluster)
      else await initialiseCluster(layout, programs)
      await programs.makeFolder(layout.socketDir)
      const child = programs.startServer(startArguments(layout))
      started = { child, output: followServerLog(child, log) }
      await once(child, 'spawn')
    },
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

interface ServerLog {
  /** The last few lines, for the error of a failed start. */
  lastLines(): string
}

/**
 * PostgreSQL returns statement errors to the client, so its output is about the server itself. FATAL ends or refuses one connection;
 * PANIC ends the whole server.
 */
const levels = { LOG: 'debug', WARNING: 'warn', ERROR: 'warn', FATAL: 'debug', PANIC: 'error' } as const
type Severity = keyof typeof levels

const maxLines = 20

/** Copies PostgreSQL's messages into the log. Only possible for a server that this process started, not for one it attached to. */
function followServerLog({ stderr }: ChildProcess, log: Logger): ServerLog {
  const lines: string[] = []
  let level: (typeof levels)[Severity] = 'debug'
  if (stderr) {
    // The pipe must not keep this process alive.
    if (stderr instanceof Socket) stderr.unref()
    createInterface({ input: stderr }).on('line', (line) => {
      if (lines.push(line) > maxLines) lines.shift()
      // Details, hints and statements follow on separate lines and have the level of the message they belong to.
      const severity = /^\d+ (LOG|WARNING|ERROR|FATAL|PANIC): {2}/.exec(line)?.[1] as Severity | undefined
      if (severity) level = levels[severity]
      log[level]({ postgres: line }, 'message of the embedded PostgreSQL')
    })
  }
  return { lastLines: () => lines.join('\n') }
}
