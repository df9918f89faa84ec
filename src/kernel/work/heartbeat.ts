import { Worker as Thread } from 'node:worker_threads'
import type { ConnectionTarget } from '#kernel/postgres'
import type { Logger } from '#kernel/telemetry'
import type { RowName } from './busy-row.ts'

export interface HeartbeatOptions extends Omit<HeartbeatData, 'shared'> {
  readonly log: Logger
  /** The worker's row was removed: other workers declared it dead. */
  readonly onGone: (workerId: string) => void
  /** The server has no connection left for the heartbeat: it has to go through the pool. */
  readonly onNoConnection: (workerId: string) => void
}

/** Renews the worker's row from a separate thread, so that a busy main loop does not look like a dead worker. */
export interface Heartbeat {
  /** False for some time after the database was unreachable, when all heartbeats are old although no worker is dead. */
  isStable(): boolean
  beatFor(workerId: string): void
  stop(): Promise<void>
}

const respawnMs = 500

export function startHeartbeat({ log, onGone, onNoConnection, ...options }: HeartbeatOptions): Heartbeat {
  const shared = new Int32Array(new SharedArrayBuffer(8))
  // No worker is declared dead before the first heartbeat.
  Atomics.store(shared, unstable, 1)
  const ticking = setInterval(() => Atomics.add(shared, mainTicks, 1), Math.min(500, options.hungAfterMs / 4))
  let { workerId } = options
  let stopped = false
  let respawn: NodeJS.Timeout | undefined
  let thread = spawn()

  function spawn(): Thread {
    const workerData: HeartbeatData = { ...options, workerId, shared }
    const spawned = new Thread(new URL('./heartbeat-thread.ts', import.meta.url), { workerData })
    spawned.unref()
    spawned.on('message', (message: HeartbeatMessage) => {
      if (message.kind === 'gone') onGone(message.workerId)
      if (message.kind === 'no_connection') onNoConnection(message.workerId)
      if (message.kind === 'failed') log.warn({ reason: message.reason }, 'the heartbeat failed, retrying')
      if (message.kind === 'recovered') log.info('the heartbeat works again')
      if (message.kind === 'hung') log.error({ ...message.row }, 'the main loop had stopped responding')
    })
    spawned.on('error', (error) => log.error({ err: error }, 'the heartbeat thread failed, restarting it'))
    spawned.on('exit', () => {
      if (stopped) return
      respawn = setTimeout(() => {
        thread = spawn()
      }, respawnMs)
    })
    return spawned
  }

  return {
    isStable: () => Atomics.load(shared, unstable) === 0,
    beatFor(newWorkerId) {
      workerId = newWorkerId
      thread.postMessage(newWorkerId, [])
    },
    async stop() {
      stopped = true
      clearInterval(ticking)
      clearTimeout(respawn)
      await thread.terminate()
    },
  }
}

/** The data of the heartbeat thread, which shares nothing else with the main thread. */
export interface HeartbeatData {
  readonly target: ConnectionTarget
  readonly workerId: string
  readonly heartbeatMs: number
  readonly deadAfterMs: number
  readonly hungAfterMs: number
  /** Two numbers that both threads can read, even while the main loop is busy. */
  readonly shared: Int32Array
  /** The row that the main loop works on (`readBusyRow`). */
  readonly busyRow: SharedArrayBuffer
}

/** Index of a counter that the main loop increments. */
export const mainTicks = 0
/** Index of a flag: 1 while the database was recently unreachable. */
export const unstable = 1

export type HeartbeatMessage =
  | { readonly kind: 'gone'; readonly workerId: string }
  | { readonly kind: 'no_connection'; readonly workerId: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'recovered' }
  /** The main loop hangs; it reads this message when it goes on. */
  | { readonly kind: 'hung'; readonly row: RowName | undefined }
