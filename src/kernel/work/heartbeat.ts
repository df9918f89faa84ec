import { Worker as Thread } from 'node:worker_threads'
import type { Logger } from '#kernel/telemetry'
import { type HeartbeatData, type HeartbeatMessage, mainTicks, unsteady } from './heartbeat-data.ts'

export interface HeartbeatOptions extends Omit<HeartbeatData, 'shared'> {
  readonly log: Logger
  /** The worker's row has been removed: others count it as dead. */
  readonly onGone: (workerId: string) => void
}

/** Renews the worker's row from a thread of its own, so that a busy main loop does not look like a dead worker. */
export interface Heartbeat {
  /** False for a while after the database was out of reach: everyone's heartbeat is old then, and nobody is dead. */
  isSteady(): boolean
  beatFor(workerId: string): void
  stop(): Promise<void>
}

const respawnMs = 500

export function startHeartbeat({ log, onGone, ...options }: HeartbeatOptions): Heartbeat {
  const shared = new Int32Array(new SharedArrayBuffer(8))
  // Nobody is judged before the first beat.
  Atomics.store(shared, unsteady, 1)
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
      if (message.kind === 'failed')
        log.warn({ reason: message.reason }, 'the heartbeat cannot reach the database')
      if (message.kind === 'recovered') log.info('the heartbeat reaches the database again')
    })
    spawned.on('error', (error) => log.error({ err: error }, 'the heartbeat thread failed'))
    spawned.on('exit', () => {
      if (stopped) return
      respawn = setTimeout(() => {
        thread = spawn()
      }, respawnMs)
    })
    return spawned
  }

  return {
    isSteady: () => Atomics.load(shared, unsteady) === 0,
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
