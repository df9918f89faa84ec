import type { Database } from '#kernel/database'
import { Failure, kernelFailure } from '#kernel/errors'
import { createPacing } from '#kernel/pacing'
import type { Logger } from '#kernel/telemetry'
import type { BusyRow } from './busy-row.ts'
import { workFailure } from './errors.ts'
import { type ClaimedRow, createLeasedRows, type LeasedRow } from './leased-rows.ts'
import type { Claim, Queue } from './queue.ts'
import { createSlots, type Slots } from './slots.ts'
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
  /** What `handle` can do, by name, for the list of workers. Default: nothing that others need to know. */
  readonly features?: readonly string[]
  /** Called once, before the worker claims its first row. */
  readonly prepare?: () => Promise<void>
  /**
   * The column with the owner of a row. A tenth of the slots for claimed and of those for local rows, from two slots on at least one, is
   * then kept for owners who use less than that of this worker. Owners with few active rows have their turn before those with many, and
   * rows of an owner with many more than others are paced while the process is busy. So the rows of one owner, however many are due, do
   * not hold up those of all others. The table needs an index by owner. Default: rows are claimed in their order alone.
   */
  readonly sharedBy?: keyof Row & string
  /** The keys of the rows this worker can handle now; undefined when it can handle all. */
  readonly onlyKeys?: () => readonly string[] | undefined
}

export interface QueueRunnerOptions {
  readonly database: Database
  readonly log: Logger
  readonly metrics: WorkMetrics
  readonly workerId: () => string
  readonly deadAfterMs: number
  readonly busyRow: BusyRow
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
   * of `add`, and with `no_local_slot`, without calling `add`, when no local slot is free for the owner of the row.
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

/** A row whose handler begins. */
interface BeginningRow<Row> extends ClaimedRow<Row> {
  readonly workerId: string
  /** The slots of which it takes one. */
  readonly slots: Slots
  /** Resolves when a local row has been added. */
  readonly adding?: Promise<unknown>
}

/** Rows due later are found by polling. */
const maxWakeDelayMs = 2000
const wakeGridMs = 5
const forgottenDelayMs = 1000

/** Wakes come with every added row; a look for rows of owners with few of them need not follow each. */
const othersPauseMs = 10
/** Rows are work in the background: that of an owner with many may be slower for one row of others a second. */
const minUseOfOthers = 1.5
/** How often further rows of held owners may begin. */
const pacedPauseMs = 20

export function createQueueRunner<Row extends object>(
  { queue, concurrency, localConcurrency = concurrency, handle, sharedBy, onlyKeys }: QueueRegistration<Row>,
  { database, log: parentLog, metrics, workerId, deadAfterMs, busyRow }: QueueRunnerOptions,
): QueueRunner {
  const { name } = queue
  const log = parentLog.child({ queue: name })
  const rows = createLeasedRows(database, queue, sharedBy)
  const pacing = sharedBy === undefined ? undefined : createPacing({ minUseOfOthers })
  const isShared = sharedBy !== undefined
  const claimSlots = createSlots({ limit: concurrency, isShared })
  const localSlots = createSlots({ limit: localConcurrency, isShared })
  const inFlight = new Set<ActiveClaim<Row>>()
  const wakeTimers = new Map<number, NodeJS.Timeout>()
  let turn: Promise<void> | undefined
  let claimWanted = false
  let checkWanted = false
  let drained = false
  let stopped = false
  /** Until then rows of other owners are not looked for, because the last look found too few. */
  let othersPausedUntilMs = 0

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
    const isBacklogged = !drained
    claimWanted = false
    drained = false
    const heldOwners = pacing?.heldOwners() ?? []
    const hasOnlyKept = claimSlots.freeForAll() <= 0
    const isFilled =
      hasOnlyKept || heldOwners.length > 0
        ? await claimForKeptSlots(heldOwners)
        : isBacklogged && (await claimInTurn())
    // Slots that became free meanwhile are filled in the same way: owners who use few come first again.
    if (isFilled) claimWanted = true
    else if (!hasOnlyKept && claimSlots.freeForAll() > 0) await claimOfAll({ isPaced: heldOwners.length > 0 })
  }

  /** Fills all free slots with rows of owners who are not held and use less than the kept slots. */
  function claimForKeptSlots(heldOwners: readonly string[]): Promise<boolean> {
    const withoutOwners = [...new Set([...claimSlots.ownersWithKeptShare(), ...heldOwners])]
    return claimOfOthers(claimSlots.free(), withoutOwners)
  }

  /** Fills the free slots but the kept ones with rows of owners who use few. In the order of all rows the backlog of one could come first. */
  async function claimInTurn(): Promise<boolean> {
    const withoutOwners = claimSlots.ownersWithEqualShare()
    return withoutOwners.length > 0 && (await claimOfOthers(claimSlots.freeForAll(), withoutOwners))
  }

  /** Returns whether it found enough rows. */
  async function claimOfOthers(limit: number, withoutOwners: readonly string[]): Promise<boolean> {
    if (limit <= 0) return false
    const pauseMs = withoutOwners.length === 0 ? 0 : othersPausedUntilMs - performance.now()
    if (pauseMs > 0) {
      wakeLater(pauseMs)
      return false
    }
    const claimed = await fillSlots(limit, withoutOwners)
    if (claimed === limit) return true
    if (withoutOwners.length === 0) drained = true
    else othersPausedUntilMs = performance.now() + othersPauseMs
    return false
  }

  /** Fills the free slots but the kept ones, with as many rows as may begin now if some owners are held. */
  async function claimOfAll({ isPaced }: { readonly isPaced: boolean }): Promise<void> {
    const free = claimSlots.freeForAll()
    const limit = isPaced ? (pacing?.take(free) ?? free) : free
    const claimed = limit === 0 ? 0 : await fillSlots(limit)
    // Fewer rows than the limit: the queue is empty, and a free slot need not wake it.
    drained = claimed < limit
    if (drained) return
    if (limit < free) wakeLater(pacedPauseMs)
    else claimWanted = true
  }

  async function fillSlots(limit: number, withoutOwners: readonly string[] = []): Promise<number> {
    const id = workerId()
    const claimed = await rows.claim({
      workerId: id,
      limit,
      deadAfterMs,
      onlyKeys: onlyKeys?.(),
      withoutOwners,
    })
    for (const entry of claimed) {
      pacing?.count(ownerOf(entry.row))
      begin({ ...entry, workerId: id, slots: claimSlots })
    }
    return claimed.length
  }

  const ownerOf = (row: Row) => (sharedBy === undefined ? '' : String(row[sharedBy]))

  function begin({ workerId: id, slots, adding, waitedMs, ...claimed }: BeginningRow<Row>): void {
    metrics.claimed.inc({ queue: name })
    metrics.waited.observe({ queue: name }, waitedMs / 1000)
    const abort = new AbortController()
    const markBusy = () => busyRow.mark(name, claimed.key)
    const claim: Claim<Row> = { ...claimed, workerId: id, signal: abort.signal, markBusy }
    const owner = ownerOf(claimed.row)
    const entry: ActiveClaim<Row> = {
      claim,
      isStored: adding === undefined,
      abort,
      done: runHandler(
        claim,
        adding?.then(() => void (entry.isStored = true)),
      ).finally(() => {
        inFlight.delete(entry)
        slots.release(owner)
        metrics.active.set({ queue: name }, inFlight.size)
        if (!drained) wake()
      }),
    }
    inFlight.add(entry)
    slots.take(owner)
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
    if (stopped) return
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
      if (!localSlots.hasFreeFor(ownerOf(row as Row))) {
        throw workFailure('no_local_slot', { details: { queue: name, limit: localConcurrency } })
      }
      const id = workerId()
      const adding = add({ workerId: id, fence: 1 })
      begin({
        row: row as Row,
        key,
        fence: 1,
        attempt: 1,
        waitedMs: 0,
        workerId: id,
        slots: localSlots,
        adding,
      })
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
