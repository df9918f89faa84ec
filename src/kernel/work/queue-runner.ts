import type { Database } from '#kernel/database'
import { Failure, kernelFailure } from '#kernel/errors'
import type { Logger } from '#kernel/telemetry'
import { workFailure } from './errors.ts'
import type { Claim, Queue } from './queue.ts'
import type { WorkMetrics } from './work-metrics.ts'

/** A queue that a worker serves. */
export interface QueueRegistration<Row extends object> {
  readonly queue: Queue<Row>
  /** Maximum number of rows that this worker has claimed at a time. */
  readonly concurrency: number
  /** Maximum number of rows that run by `runLocally`, besides the claimed ones. Default: `concurrency`. */
  readonly localConcurrency?: number
  /**
   * Does the work, and finishes or releases the row itself, best in the transaction that stores the result. When it throws or does neither,
   * the row returns to the queue and is due again after a growing delay.
   */
  readonly handle: (claim: Claim<Row>) => Promise<void>
  /** Called once, before the worker claims its first row. */
  readonly prepare?: () => Promise<void>
  /** The keys of the rows this worker can handle, if it cannot handle all. */
  readonly onlyKeys?: () => readonly string[]
}

export interface QueueRunnerOptions {
  readonly database: Database
  readonly log: Logger
  readonly metrics: WorkMetrics
  readonly workerId: () => string
  readonly deadAfterMs: number
}

/**
 * Serves one queue: fills its slots and compares its claims with the database.
 *
 * Claiming and checking take turns, because a new claim is in the database before it is in memory. Both are requested by flags, so any
 * number of wakes during a claim cause one further claim.
 */
export interface QueueRunner {
  readonly name: string
  /**
   * Adds a row that is already leased by this worker and handles it at once. Resolves when the row has been added. Rejects with the error
   * of `add`, and with `no_local_slot`, without calling `add`, when `localConcurrency` rows run locally.
   */
  runLocally(row: LocalRow<object>): Promise<void>
  /** Claims due rows, now or after a delay. */
  wake(delayMs?: number): void
  /** Compares the active claims with the database: lost ones are aborted, forgotten ones return to the queue. */
  check(): void
  /** Aborts all active claims, or the matching ones. */
  abort(reason: Error, matches?: (claim: Pick<Claim<unknown>, 'key' | 'fence'>) => boolean): void
  /** Resolves when no more rows will be claimed. */
  stopClaiming(): Promise<void>
  /** Resolves when no handler is running. */
  untilIdle(): Promise<void>
}

/** A row that is leased from the start. `add` stores it as running, with this worker and fence and as its first attempt. */
export interface LocalRow<Row> {
  readonly row: Row
  readonly key: string | number
  readonly add: (lease: { readonly workerId: string; readonly fence: number }) => Promise<unknown>
}

interface ActiveClaim<Row> {
  readonly claim: Claim<Row>
  /** False while the row is still being added. */
  isStored: boolean
  readonly abort: AbortController
  readonly done: Promise<void>
}

/** Rows due later are found by polling. */
const maxWakeDelayMs = 2000
const wakeGridMs = 5
const forgottenDelayMs = 1000

export function createQueueRunner<Row extends object>(
  { queue, concurrency, localConcurrency = concurrency, handle, onlyKeys }: QueueRegistration<Row>,
  { database, log: parentLog, metrics, workerId, deadAfterMs }: QueueRunnerOptions,
): QueueRunner {
  const { name } = queue
  const log = parentLog.child({ queue: name })
  const rows = createLeasedRows(database, queue)
  const inFlight = new Set<ActiveClaim<Row>>()
  /** The number of these that run locally. */
  let localRows = 0
  const wakeTimers = new Map<number, NodeJS.Timeout>()
  let turn: Promise<void> | undefined
  let claimWanted = false
  let checkWanted = false
  let drained = false
  let stopped = false

  const isWanted = () => (claimWanted || checkWanted) && !stopped

  async function runTurns(): Promise<void> {
    while (isWanted()) {
      try {
        if (checkWanted) await checkClaims()
        else await claimRows()
      } catch (error) {
        log.warn({ err: error }, 'could not read the queue, retrying')
        claimWanted = false
        checkWanted = false
      }
    }
    turn = undefined
  }

  async function claimRows(): Promise<void> {
    claimWanted = false
    drained = false
    const limit = concurrency - (inFlight.size - localRows)
    if (limit <= 0) return
    const id = workerId()
    const claimed = await rows.claim({ workerId: id, limit, deadAfterMs, onlyKeys: onlyKeys?.() })
    for (const row of claimed) begin(row, id)
    // Fewer rows than the limit: the queue is empty, and a free slot need not wake it.
    drained = claimed.length < limit
    if (!drained && inFlight.size - localRows < concurrency) claimWanted = true
  }

  function begin(
    { row, key, fence, attempt, waitedMs }: ClaimedRow<Row>,
    id: string,
    adding?: Promise<unknown>,
  ): void {
    metrics.claimed.inc({ queue: name })
    metrics.waited.observe({ queue: name }, waitedMs / 1000)
    const abort = new AbortController()
    const claim: Claim<Row> = { row, key, fence, attempt, workerId: id, signal: abort.signal }
    const entry: ActiveClaim<Row> = {
      claim,
      isStored: adding === undefined,
      abort,
      done: runHandler(
        claim,
        adding?.then(() => void (entry.isStored = true)),
      ).finally(() => {
        inFlight.delete(entry)
        if (adding !== undefined) localRows -= 1
        metrics.active.set({ queue: name }, inFlight.size)
        if (!drained) wake()
      }),
    }
    inFlight.add(entry)
    if (adding !== undefined) localRows += 1
    metrics.active.set({ queue: name }, inFlight.size)
  }

  async function runHandler(claim: Claim<Row>, stored?: Promise<void>): Promise<void> {
    try {
      // Not synchronously: a handler that throws at once must not prevent the other claims from starting.
      await (stored ?? Promise.resolve())
    } catch {
      // The row was not added; `runLocally` rejects with this error.
      return
    }
    try {
      await handle(claim)
    } catch (error) {
      await returnToQueue(claim, error)
    }
  }

  async function returnToQueue(claim: Claim<Row>, error: unknown): Promise<void> {
    const { key, attempt } = claim
    if (claim.signal.aborted || isFenced(error)) {
      log.info({ err: error, row: key }, 'the handler ended because its claim was lost')
      if (isFenced(error)) metrics.fenced.inc({ queue: name })
      return
    }
    const delayMs = Math.min(1000 * 2 ** (attempt - 1), 60_000)
    log.error(
      { err: error, row: key, attempt, delayMs },
      'the handler failed, returning the row to the queue',
    )
    await queue.release(database, claim, { delayMs }).catch((failure: unknown) => {
      // The next check finds a leased row without a handler and returns it.
      if (!isFenced(failure))
        log.warn({ err: failure, row: key }, 'could not return the row to the queue, retrying')
    })
  }

  async function checkClaims(): Promise<void> {
    checkWanted = false
    const id = workerId()
    const before = [...inFlight].filter(({ claim, isStored }) => isStored && claim.workerId === id)
    const leased = await rows.list(id)
    const leasedKeys = new Set(leased.map(claimKey))
    for (const entry of before) {
      if (!leasedKeys.has(claimKey(entry.claim)) && inFlight.has(entry))
        entry.abort.abort(lost(entry.claim.key))
    }
    const knownKeys = new Set([...inFlight].map(({ claim }) => claimKey(claim)))
    for (const row of leased)
      if (!knownKeys.has(claimKey(row))) await returnForgotten({ ...row, workerId: id })
  }

  /** A claim whose result was lost with its connection, or a handler that returned without finishing its row. */
  async function returnForgotten(row: Pick<Claim<Row>, 'key' | 'fence' | 'workerId'>): Promise<void> {
    try {
      await queue.release(database, row, { delayMs: forgottenDelayMs })
      log.error({ row: row.key }, 'a row was leased without a handler, returning it to the queue')
    } catch (error) {
      // The row was finished meanwhile.
      if (!isFenced(error)) throw error
    }
  }

  function lost(key: string | number): Error {
    return workFailure('fenced', { details: { queue: name, row: key } })
  }

  function wake(delayMs = 0): void {
    if (stopped || delayMs > maxWakeDelayMs) return
    if (delayMs > 0) return wakeLater(delayMs)
    claimWanted = true
    turn ??= runTurns()
  }

  /** Rows that are due at about the same time share a timer. */
  function wakeLater(delayMs: number): void {
    const at = Math.ceil((performance.now() + delayMs) / wakeGridMs) * wakeGridMs
    if (wakeTimers.has(at)) return
    const timer = setTimeout(
      () => {
        wakeTimers.delete(at)
        wake()
      },
      Math.max(0, at - performance.now()),
    )
    wakeTimers.set(at, timer)
  }

  return {
    name,
    async runLocally({ row, key, add }) {
      if (stopped) throw kernelFailure('shutting_down')
      if (localRows >= localConcurrency) {
        throw workFailure('no_local_slot', { details: { queue: name, limit: localConcurrency } })
      }
      const id = workerId()
      const adding = add({ workerId: id, fence: 1 })
      begin({ row: row as Row, key, fence: 1, attempt: 1, waitedMs: 0 }, id, adding)
      await adding
    },
    wake,
    check() {
      checkWanted = true
      if (!stopped) turn ??= runTurns()
    },
    abort(reason, matches = () => true) {
      for (const { claim, abort } of inFlight) if (matches(claim)) abort.abort(reason)
    },
    async stopClaiming() {
      stopped = true
      for (const timer of wakeTimers.values()) clearTimeout(timer)
      await turn
    },
    async untilIdle() {
      await Promise.all([...inFlight].map(({ done }) => done))
    },
  }
}

/** Includes the fence, because a row can have two active claims while a lost one ends. */
function claimKey({ key, fence }: LeasedRow): string {
  return `${fence} ${key}`
}

function isFenced(error: unknown): boolean {
  return error instanceof Failure && error.code === 'fenced'
}

interface ClaimedRow<Row> {
  readonly row: Row
  readonly key: string | number
  readonly fence: number
  readonly attempt: number
  /** Time between due and claimed. */
  readonly waitedMs: number
}

interface LeasedRow {
  readonly key: string | number
  readonly fence: number
}

/** The statements with which a worker claims rows of a queue and lists those it has leased. */
interface LeasedRows<Row extends object> {
  /** Claims the first due rows, or only those of `onlyKeys`. Claims none unless the worker's heartbeat is recent. */
  claim(options: ClaimOptions): Promise<ClaimedRow<Row>[]>
  /** The rows leased by the worker, according to the database. */
  list(workerId: string): Promise<LeasedRow[]>
}

interface ClaimOptions {
  readonly workerId: string
  readonly limit: number
  readonly deadAfterMs: number
  readonly onlyKeys: readonly string[] | undefined
}

interface WorkColumns {
  readonly work_priority: number
  readonly work_fence: number
  readonly work_attempts: number
  readonly work_waited_ms: number
}

function createLeasedRows<Row extends object>(
  database: Pick<Database, 'query'>,
  { table, key }: Queue<Row>,
): LeasedRows<Row> {
  // Materialised, because a plan that repeats the inner query would claim more than the limit.
  const claimStatement = (restriction: string) => `
    with due as materialized (
      select ${key} as due_key from ${table}
      where work_state = 'queued' and work_due_at <= now() ${restriction}
        and exists (
          select 1 from kernel_workers
          where id = $1 and heartbeat_at > now() - $3 * interval '1 millisecond'
        )
      order by work_priority desc, work_due_at
      limit $2
      for update skip locked
    )
    update ${table} as entry
    set work_state = 'running', work_worker = $1, work_fence = work_fence + 1, work_attempts = work_attempts + 1
    from due
    where entry.${key} = due.due_key
    returning entry.*, extract(epoch from clock_timestamp() - work_due_at)::float8 * 1000 as work_waited_ms
  `
  const claimAny = claimStatement('')
  const claimSome = claimStatement(`and ${key}::text = any($4)`)
  const listStatement = `
    select ${key} as key, work_fence as fence from ${table} where work_state = 'running' and work_worker = $1
  `

  return {
    async claim({ workerId, limit, deadAfterMs, onlyKeys }) {
      const values = [workerId, limit, deadAfterMs]
      const rows = await (onlyKeys === undefined
        ? database.query<Row & WorkColumns>(claimAny, values)
        : database.query<Row & WorkColumns>(claimSome, [...values, onlyKeys]))
      rows.sort((a, b) => b.work_priority - a.work_priority || b.work_waited_ms - a.work_waited_ms)
      return rows.map(({ work_waited_ms: waitedMs, ...row }) => ({
        row: row as unknown as Row,
        key: (row as Record<string, unknown>)[key] as string | number,
        fence: row.work_fence,
        attempt: row.work_attempts,
        waitedMs,
      }))
    },

    list: (workerId) => database.query<LeasedRow>(listStatement, [workerId]),
  }
}
