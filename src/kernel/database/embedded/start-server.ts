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
import { createPrograms } from './programs.ts'
import { chooseRunAs } from './run-as.ts'
import { startArguments } from './server-options.ts'

export interface Starter {
  /** Starts the server of a folder, unless the previously started one still runs. Throws a `UserError` when the start failed. */
  start(): Promise<void>
  hasStarted(): boolean
  /** Ends a started server that is no longer needed before it was ready. */
  abandon(): Promise<void>
}

/** How long a start is retried while an ending server still has the folder locked. */
const maxRetryMs = 20_000
const lockedByAnother = /lock file .* already exists|pre-existing shared memory block/

export function createStarter(layout: Layout, log: Logger): Starter {
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
      const programs = createPrograms(await chooseRunAs(layout, locateBinaries()))
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
