import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { UserMistake } from '#kernel/errors'
import type { Logger } from '#kernel/telemetry'
import { locateBinaries } from './binaries.ts'
import { hasCluster, initialiseCluster } from './initialise-cluster.ts'
import type { Layout } from './layout.ts'
import { createPrograms } from './programs.ts'
import { chooseRunAs } from './run-as.ts'
import { followServerLog, type ServerLog } from './server-log.ts'
import { startArguments } from './server-options.ts'

/** Starts the server of a folder, once per call, unless the one it started still runs. */
export interface Starter {
  start(): Promise<void>
  hasStarted(): boolean
  /** Ends what was started, when it is no longer wanted before it was ready. */
  abandon(): Promise<void>
}

/** A start that failed because a dying server still holds the folder is tried again for this long. */
const patienceMs = 20_000
const heldByAnother = /lock file .* already exists|pre-existing shared memory block/

export function createStarter(layout: Layout, log: Logger): Starter {
  let started: { readonly child: ChildProcess; readonly output: ServerLog } | undefined
  let failingSince: number | undefined

  async function judgeFailure(child: ChildProcess, output: ServerLog): Promise<void> {
    failingSince ??= Date.now()
    // The last words may still be on their way when the process is already gone.
    await Promise.race([once(child, 'close'), delay(200)])
    const mayPass = heldByAnother.test(output.lastLines()) && Date.now() - failingSince < patienceMs
    if (!mayPass) throw new UserMistake(`The embedded PostgreSQL does not start:\n${output.lastLines()}`)
    await delay(100)
  }

  return {
    hasStarted: () => started !== undefined,

    async abandon() {
      if (!started || hasEnded(started.child)) return
      // Asked of the process itself: it may not have written its file yet.
      started.child.kill('SIGINT')
      await once(started.child, 'exit')
    },

    async start() {
      if (started) {
        const { child, output } = started
        if (!hasEnded(child)) return
        started = undefined
        return judgeFailure(child, output)
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
