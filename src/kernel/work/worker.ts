import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, retryWhenUnavailable } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import type { Logger, Metrics } from '#kernel/telemetry'
import { workFailure } from './errors.ts'
import { createHandOvers } from './hand-over.ts'
import { type Heartbeat, startHeartbeat } from './heartbeat.ts'
import type { Queue } from './queue.ts'
import {
  type AdoptedRow,
  createQueueRunner,
  type QueueRegistration,
  type QueueRunner,
  type QueueRunnerOptions,
} from './queue-runner.ts'
import { defaultTiming, type WorkerTiming } from './timing.ts'
import { readMessage, workChannel } from './work-channel.ts'
import { createWorkMetrics } from './work-metrics.ts'
import { isAlive, registerWorker } from './worker-registry.ts'

export interface WorkerOptions {
  readonly database: Database
  readonly log: Logger
  readonly metrics: Metrics
  /** For the people who look at the list of workers. Default: the host and the process id. */
  readonly name?: string
  readonly role: string
  readonly queues: readonly AnyQueueRegistration[]
  readonly timing?: Partial<WorkerTiming>
}

/** Made by `serveQueue`, so that queues of different row types fit into one list. */
export interface AnyQueueRegistration {
  readonly queue: { readonly name: string; readonly table: string; readonly key: string }
  prepare(): Promise<void>
  createRunner(options: QueueRunnerOptions): QueueRunner
}

/**
 * Claims due rows of its queues and runs their handlers.
 *
 * | state    | on                                     | next                                                            |
 * |----------|----------------------------------------|-----------------------------------------------------------------|
 * | idle     | `start`                                | serving, under a row in kernel_workers                          |
 * | serving  | its row is gone: others call it dead   | serving under a new id; the claims of the old one are aborted   |
 * | serving  | `stop`                                 | draining: nothing more is claimed                               |
 * | draining | all handlers done, or `graceMs` over   | stopped: what is left is aborted and goes back, its row too     |
 *
 * A database that is away changes none of this: every loop goes on trying.
 */
export interface Worker {
  /** The id it works under now; a new one after it was declared dead. */
  readonly id: string
  start(): Promise<void>
  /**
   * Works on a row of one of its queues that is only being added now: no other worker sees it unless this one dies. Throws
   * `no_local_slot` when as many rows of the queue run locally as may.
   */
  adopt<Row extends object>(queue: Queue<Row>, row: AdoptedRow<Row>): Promise<void>
  /** Throws unless it is serving and its heartbeat is fresh. */
  check(): Promise<void>
  stop(options?: { readonly graceMs?: number }): Promise<void>
}

/** How long a stopping worker tries to give its work back while the database is away. */
const leaveWithinMs = 3000

/** Registers a handler for a queue. */
export function serveQueue<Row extends object>(registration: QueueRegistration<Row>): AnyQueueRegistration {
  return {
    queue: registration.queue,
    prepare: async () => registration.prepare?.(),
    createRunner: (options) => createQueueRunner(registration, options),
  }
}

export function createWorker({
  database,
  log: parentLog,
  metrics,
  name = `${hostname()}:${process.pid}`,
  role,
  queues,
  timing,
}: WorkerOptions): Worker {
  const { heartbeatMs, deadAfterMs, hungAfterMs, pollMs } = { ...defaultTiming, ...timing }
  const log = parentLog.child({ worker: name })
  const workMetrics = createWorkMetrics(metrics)
  const handOvers = createHandOvers(
    database,
    queues.map(({ queue }) => queue),
  )
  let id = randomUUID() as string
  const runners = queues.map((registration) =>
    registration.createRunner({ database, log, metrics: workMetrics, workerId: () => id, deadAfterMs }),
  )
  const stopped = new AbortController()
  let heartbeat: Heartbeat | undefined
  let subscription: AsyncDisposable | undefined
  let polling: NodeJS.Timeout | undefined
  let sweeping: Promise<void> | undefined
  let reviving: Promise<void> | undefined

  const register = (newId: string) =>
    registerWorker(database, { id: newId, name, role, queues: queues.map(({ queue }) => queue.name) })

  function wakeAll(): void {
    for (const runner of runners) runner.wake()
  }

  function poll(): void {
    for (const runner of runners) runner.check()
    wakeAll()
    sweeping ??= sweep().finally(() => {
      sweeping = undefined
    })
  }

  async function sweep(): Promise<void> {
    if (heartbeat?.isSteady() !== true) return
    try {
      const handOver = await handOvers.sweep({ workerId: id, heartbeatMs, deadAfterMs })
      if (handOver === undefined || handOver.deadWorkers.length + handOver.rows.length === 0) return
      if (handOver.rows.length === 0) log.info(handOver, 'removed workers that had ended')
      else log.warn(handOver, 'handed over the work of dead workers')
      for (const { queue, count } of handOver.rows) workMetrics.handedOver.inc({ queue }, count)
    } catch (error) {
      log.warn({ err: error }, 'dead workers could not be looked for; trying again')
    }
  }

  function hear(payload: string): void {
    const message = readMessage(payload)
    const runner = runners.find((it) => it.name === message?.queue)
    if (message?.kind === 'wake') runner?.wake(message.delayMs)
    if (message?.kind === 'cancel') {
      const { key, fence } = message
      const reason = workFailure('fenced', { message: 'This work was cancelled.' })
      // The row may have been queued anew and claimed since.
      runner?.abort(reason, (claim) => String(claim.key) === key && claim.fence < fence)
    }
  }

  function reviveAfter(goneId: string): void {
    if (goneId !== id || reviving !== undefined || stopped.signal.aborted) return
    log.warn({ workerId: id }, 'this worker was declared dead; its claims are dropped')
    for (const runner of runners) runner.abort(workFailure('fenced'))
    reviving = revive().finally(() => {
      reviving = undefined
    })
  }

  async function revive(): Promise<void> {
    const newId = randomUUID()
    try {
      await register(newId)
      id = newId
      heartbeat?.beatFor(newId)
      wakeAll()
    } catch (error) {
      // The next beat finds the row missing again.
      log.warn({ err: error }, 'this worker could not register anew yet')
    }
  }

  async function drain(graceMs: number): Promise<void> {
    const idle = new AbortController()
    const patience = delay(graceMs, undefined, { signal: idle.signal }).catch(() => {})
    await Promise.race([Promise.all(runners.map((runner) => runner.untilIdle())), patience])
    idle.abort()
  }

  async function leave(): Promise<void> {
    try {
      await retryWhenUnavailable(() => handOvers.leave(id), { deadlineMs: leaveWithinMs })
    } catch (error) {
      log.warn({ err: error }, 'the work in hand could not be given back; other workers will take it over')
    }
  }

  return {
    get id() {
      return id
    },

    async start() {
      for (const queue of queues) await queue.prepare()
      await register(id)
      subscription = await database.listen(workChannel, hear, wakeAll)
      heartbeat = startHeartbeat({
        connection: database.connectionOptions(),
        workerId: id,
        heartbeatMs,
        deadAfterMs,
        hungAfterMs,
        log,
        onGone: reviveAfter,
      })
      polling = setInterval(poll, pollMs)
      poll()
    },

    async adopt(queue, row) {
      const runner = runners.find(({ name: served }) => served === queue.name)
      if (runner === undefined) throw new Error(`this worker does not serve the queue ${queue.name}`)
      await runner.adopt(row)
    },

    async check() {
      const alive = !stopped.signal.aborted && (await isAlive(database, id, deadAfterMs))
      if (!alive) throw new Error('the worker has no fresh heartbeat')
    },

    async stop({ graceMs = 0 } = {}) {
      if (stopped.signal.aborted) return
      stopped.abort()
      clearInterval(polling)
      await Promise.all([...runners.map((runner) => runner.stopClaiming()), sweeping, reviving])
      await drain(graceMs)
      for (const runner of runners) runner.abort(kernelFailure('shutting_down'))
      await subscription?.[Symbol.asyncDispose]()
      await heartbeat?.stop()
      await leave()
    },
  }
}
