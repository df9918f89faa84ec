import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, retryConflicts, retryWhenUnavailable } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import type { Logger, Metrics } from '#kernel/telemetry'
import { declareBacklogGauges } from './backlog-gauges.ts'
import { createBusyRow } from './busy-row.ts'
import { workFailure } from './errors.ts'
import { type Heartbeat, startHeartbeat } from './heartbeat.ts'
import {
  type Executor,
  type Queue,
  type QueueDefinition,
  readMessage,
  runStatement,
  workChannel,
  writeMessage,
} from './queue.ts'
import {
  createQueueRunner,
  type LocalRow,
  type QueueRegistration,
  type QueueRunner,
  type QueueRunnerOptions,
} from './queue-runner.ts'
import { createWorkMetrics } from './work-metrics.ts'
import {
  defaultTiming,
  isAlive,
  registerWorker,
  renewHeartbeat,
  type WorkerTiming,
} from './worker-registry.ts'

export interface WorkerOptions {
  readonly database: Database
  readonly log: Logger
  readonly metrics: Metrics
  /** The name in the list of workers. Default: host and process id. */
  readonly name?: string
  readonly role: string
  readonly queues: readonly AnyQueueRegistration[]
  readonly timing?: Partial<WorkerTiming>
}

/** Created by `serveQueue`, so that queues of different row types fit into one list. */
export interface AnyQueueRegistration {
  readonly queue: { readonly name: string; readonly table: string; readonly key: string }
  readonly features: readonly string[]
  prepare(): Promise<void>
  createRunner(options: QueueRunnerOptions): QueueRunner
}

/**
 * Claims due rows of its queues and runs their handlers.
 *
 * | state    | on                                     | next                                                            |
 * |----------|----------------------------------------|-----------------------------------------------------------------|
 * | idle     | `start`                                | serving, under a row in kernel_workers                          |
 * | serving  | its row was removed as dead            | serving under a new id; the claims of the old one are aborted   |
 * | serving  | `stop`                                 | draining: no more rows are claimed                              |
 * | draining | all handlers ended, or `graceMs` passed | stopped: remaining rows are aborted and requeued, its row removed |
 *
 * An unavailable database does not change the state: every loop keeps retrying.
 */
export interface Worker {
  /** The current id; a new one after the worker was declared dead. */
  readonly id: string
  start(): Promise<void>
  /**
   * Adds a row that is already leased by this worker and handles it at once; other workers only get it if this one dies. Throws
   * `no_local_slot` when no local slot of the queue is free for the owner of the row.
   */
  runLocally<Row extends object>(queue: Queue<Row>, row: LocalRow<Row>): Promise<void>
  /** Throws unless the worker is serving and its heartbeat is recent. */
  check(): Promise<void>
  stop(options?: { readonly graceMs?: number }): Promise<void>
}

/** How long a stopping worker retries to requeue its rows while the database is unavailable. */
const leaveTimeoutMs = 3000

/** Creates the registration of a handler for a queue. Does not throw. */
export function serveQueue<Row extends object>(registration: QueueRegistration<Row>): AnyQueueRegistration {
  return {
    queue: registration.queue,
    features: registration.features ?? [],
    prepare: async () => registration.prepare?.(),
    createRunner: (options) => createQueueRunner(registration, options),
  }
}

/** Creates a worker for the queues; it claims nothing before `start`. Throws a `TypeError` when `metrics` has its names with other labels. */
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
  const definitions = queues.map(({ queue }) => queue)
  const backlog = declareBacklogGauges({ database, metrics, queues: definitions })
  const handover = createHandover(database, definitions)
  let id = randomUUID() as string
  const busyRow = createBusyRow()
  const runners = queues.map((registration) =>
    registration.createRunner({
      database,
      log,
      metrics: workMetrics,
      workerId: () => id,
      deadAfterMs,
      busyRow,
    }),
  )
  const stopped = new AbortController()
  let heartbeat: Heartbeat | undefined
  let subscription: AsyncDisposable | undefined
  let polling: NodeJS.Timeout | undefined
  let sweeping: Promise<void> | undefined
  let registering: Promise<void> | undefined

  const register = (newId: string) =>
    registerWorker(database, {
      id: newId,
      name,
      role,
      queues: queues.map(({ queue }) => queue.name),
      features: queues.flatMap(({ features }) => features),
    })

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
    if (heartbeat?.isStable() !== true) return
    try {
      const swept = await handover.sweep({ workerId: id, heartbeatMs, deadAfterMs })
      if (swept === undefined || swept.deadWorkers.length + swept.rows.length === 0) return
      if (swept.rows.length === 0) log.info(swept, 'removed dead workers')
      else log.warn(swept, 'requeued the rows of dead workers')
      for (const { queue, count } of swept.rows) workMetrics.handedOver.inc({ queue }, count)
    } catch (error) {
      log.warn({ err: error }, 'could not look for dead workers, retrying')
    }
  }

  function handleMessage(payload: string): void {
    const message = readMessage(payload)
    const runner = runners.find((it) => it.name === message?.queue)
    if (message?.kind === 'wake') runner?.wake(message.delayMs)
    if (message?.kind === 'cancel') {
      const { key, fence } = message
      const reason = workFailure('fenced', { message: 'This work was cancelled.' })
      // The row may have been requeued and claimed again.
      runner?.abort(reason, (claim) => String(claim.key) === key && claim.fence < fence)
    }
  }

  function handleGone(goneId: string): void {
    if (goneId !== id || registering !== undefined || stopped.signal.aborted) return
    log.warn({ workerId: id }, 'this worker was declared dead, aborting its claims')
    for (const runner of runners) runner.abort(workFailure('fenced'))
    registering = registerAgain().finally(() => {
      registering = undefined
    })
  }

  async function beatThroughPool(workerId: string): Promise<void> {
    try {
      await renewHeartbeat(database, workerId)
    } catch (error) {
      log.warn({ err: error }, 'the heartbeat through the pool failed too')
    }
  }

  async function registerAgain(): Promise<void> {
    const newId = randomUUID()
    try {
      await register(newId)
      id = newId
      heartbeat?.beatFor(newId)
      wakeAll()
    } catch (error) {
      // The next heartbeat finds the row missing again.
      log.warn({ err: error }, 'could not register this worker again, retrying')
    }
  }

  async function drain(graceMs: number): Promise<void> {
    const idle = new AbortController()
    const timeout = delay(graceMs, undefined, { signal: idle.signal }).catch(() => {})
    await Promise.race([Promise.all(runners.map((runner) => runner.untilIdle())), timeout])
    idle.abort()
  }

  async function leave(): Promise<void> {
    try {
      await retryWhenUnavailable(() => retryConflicts(() => handover.leave(id)), {
        deadlineMs: leaveTimeoutMs,
      })
    } catch (error) {
      log.warn({ err: error }, 'could not requeue the leased rows; other workers will take them over')
    }
  }

  return {
    get id() {
      return id
    },

    async start() {
      for (const queue of queues) await queue.prepare()
      await register(id)
      subscription = await database.listen(workChannel, handleMessage, wakeAll)
      heartbeat = startHeartbeat({
        target: database.connectionTarget(),
        workerId: id,
        heartbeatMs,
        deadAfterMs,
        hungAfterMs,
        busyRow: busyRow.memory,
        log,
        onGone: handleGone,
        onNoConnection: (workerId) => void beatThroughPool(workerId),
      })
      polling = setInterval(poll, pollMs)
      poll()
    },

    async runLocally(queue, row) {
      const runner = runners.find(({ name: served }) => served === queue.name)
      if (runner === undefined) throw new Error(`this worker does not serve the queue ${queue.name}`)
      await runner.runLocally(row)
    },

    async check() {
      const alive = !stopped.signal.aborted && (await isAlive(database, id, deadAfterMs))
      if (!alive) throw new Error('the worker has no recent heartbeat')
    },

    async stop({ graceMs = 0 } = {}) {
      if (stopped.signal.aborted) return
      stopped.abort()
      backlog[Symbol.dispose]()
      clearInterval(polling)
      await Promise.all([...runners.map((runner) => runner.stopClaiming()), sweeping, registering])
      await drain(graceMs)
      for (const runner of runners) runner.abort(kernelFailure('shutting_down'))
      await subscription?.[Symbol.asyncDispose]()
      await heartbeat?.stop()
      await leave()
    },
  }
}

interface SweepOptions {
  readonly workerId: string
  readonly heartbeatMs: number
  readonly deadAfterMs: number
}

interface SweepResult {
  readonly deadWorkers: readonly { readonly id: string; readonly name: string }[]
  readonly rows: readonly { readonly queue: string; readonly count: number }[]
}

/** Returns the rows of dead workers, and of a worker that stops, to their queues. */
interface Handover {
  /**
   * Removes workers without a recent heartbeat and requeues the rows of removed workers, in one transaction. It only changes `running`
   * rows, never finished ones. Undefined when there is nothing to do, or when this worker may not sweep.
   */
  sweep(options: SweepOptions): Promise<SweepResult | undefined>
  /** Requeues all rows leased by the worker and removes it. */
  leave(workerId: string): Promise<void>
}

/**
 * After an outage or a freeze all heartbeats are old although no worker is dead. So only a worker whose own heartbeat is recent may sweep,
 * and not right after its start: workers that were cut off from the database need a moment for their next heartbeat.
 */
const maySweep = `
  exists (
    select 1 from kernel_workers
    where id = $1
      and heartbeat_at > now() - $2 * interval '1 millisecond'
      and started_at < now() - $2 * interval '1 millisecond'
  )
`

const removeDeadStatement = `
  delete from kernel_workers
  where id in (
    select id from kernel_workers
    where heartbeat_at < now() - $1 * interval '1 millisecond'
    order by id
    for update skip locked
  )
  returning id, name
`

const isAbandoned = `work_state = 'running' and not exists (select 1 from kernel_workers where id = work_worker)`

// Locked rows are skipped: their worker is writing a result, and the next sweep sees the outcome.
const requeueAbandoned = ({ table, key }: QueueDefinition) => `
  update ${table} set work_state = 'queued', work_worker = null, work_fence = work_fence + 1
  where ${key} in (
    select ${key} from ${table} where ${isAbandoned} for update skip locked
  )
  returning 1
`

// In the order of their keys, as all statements that wait for the locks of several rows: those of its owner may lock the same rows.
const requeueLeased = ({ table, key }: QueueDefinition) => `
  with leased as materialized (
    select ${key} as leased_key from ${table} where work_state = 'running' and work_worker = $1
    order by ${key}
    for no key update
  )
  update ${table} as entry
  set work_state = 'queued', work_worker = null, work_fence = work_fence + 1,
    work_attempts = greatest(work_attempts - 1, 0)
  from leased
  where entry.${key} = leased.leased_key
  returning 1
`

async function requeue(executor: Executor, { name }: QueueDefinition, statement: string, values: unknown[]) {
  const { length: count } = await runStatement(executor, statement, values)
  if (count > 0) {
    const message = writeMessage({ kind: 'wake', queue: name, delayMs: 0 })
    await runStatement(executor, 'select pg_notify($1, $2)', [workChannel, message])
  }
  return { queue: name, count }
}

function createHandover(database: Database, queues: readonly QueueDefinition[]): Handover {
  const isNeededStatement = `
    select (${maySweep}) and (
      exists (select 1 from kernel_workers where heartbeat_at < now() - $3 * interval '1 millisecond')
      ${queues.map((queue) => `or exists (select 1 from ${queue.table} where ${isAbandoned})`).join('\n')}
    ) as needed
  `

  return {
    async sweep({ workerId, heartbeatMs, deadAfterMs }) {
      const freshMs = heartbeatMs * 2.5
      const [row] = await database.query<{ needed: boolean }>(isNeededStatement, [
        workerId,
        freshMs,
        deadAfterMs,
      ])
      if (row?.needed !== true) return undefined
      return database.transaction(async (transaction) => {
        const deadWorkers = await runStatement<{ id: string; name: string }>(
          transaction,
          removeDeadStatement,
          [deadAfterMs],
        )
        const rows: SweepResult['rows'][number][] = []
        for (const queue of queues) rows.push(await requeue(transaction, queue, requeueAbandoned(queue), []))
        return { deadWorkers, rows: rows.filter((it) => it.count > 0) }
      })
    },

    leave: (workerId) =>
      database.transaction(async (transaction) => {
        for (const queue of queues) await requeue(transaction, queue, requeueLeased(queue), [workerId])
        await runStatement(transaction, 'update kernel_crashes set worker = null where worker = $1', [
          workerId,
        ])
        await runStatement(transaction, 'delete from kernel_workers where id = $1', [workerId])
      }),
  }
}
