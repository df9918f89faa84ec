import type { Database } from '#kernel/database'
import { Failure, kernelFailure } from '#kernel/errors'
import type { Logger } from '#kernel/telemetry'
import { workFailure } from './errors.ts'
import { type ClaimedRow, createHeldRows, type HeldRow } from './held-rows.ts'
import type { Claim, Queue } from './queue.ts'
import type { WorkMetrics } from './work-metrics.ts'

/** A queue that a worker serves. */
export interface QueueRegistration<Row extends object> {
  readonly queue: Queue<Row>
  /** The most rows that this worker has claimed from the queue at once. */
  readonly concurrency: number
  /** The most rows that this worker runs locally at once, by `adopt`. They take no slot from claimed rows. Default: `concurrency`. */
  readonly localConcurrency?: number
  /**
   * Does the work, and finishes or releases the row itself, best in the transaction that stores the result. When it
   * throws, or forgets, the row goes back to the queue and is due again after a growing pause.
   */
  readonly handle: (claim: Claim<Row>) => Promise<void>
  /** Called once, before the worker claims its first row. */
  readonly prepare?: () => Promise<void>
  /** Where a worker can do only some of the rows: their keys. */
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
 * Serves one queue: keeps its places filled and its claims in step with the database.
 *
 * Claiming and checking take turns, because a row just claimed is in the database before it is in memory. Either is
 * asked for by flags, so any number of wakes during a claim cost one more claim.
 */
export interface QueueRunner {
  readonly name: string
  /**
   * Works on a row that is added in our name, here and now. Resolves when it has been added, and rejects as `add` does; then
   * nothing is worked on. Rejects with `no_local_slot` when `localConcurrency` rows run locally: `add` is not called then.
   */
  adopt(row: AdoptedRow<object>): Promise<void>
  /** Looks for due rows, now or after a while. */
  wake(delayMs?: number): void
  /** Compares the claims in hand with the database: lost ones are aborted, forgotten ones go back. */
  check(): void
  /** Aborts the claims in hand, or those chosen. */
  abort(reason: Error, isMeant?: (claim: Pick<Claim<unknown>, 'key' | 'fence'>) => boolean): void
  /** Resolves when nothing more will be claimed. */
  stopClaiming(): Promise<void>
  /** Resolves when no handler is running. */
  untilIdle(): Promise<void>
}

/** A row that begins its life held. `add` stores it as running, with this worker and fence and as its first attempt. */
export interface AdoptedRow<Row> {
  readonly row: Row
  readonly key: string | number
  readonly add: (held: { readonly workerId: string; readonly fence: number }) => Promise<unknown>
}

interface InHand<Row> {
  readonly claim: Claim<Row>
  /** Not yet while a row is still being added. */
  isStored: boolean
  readonly abort: AbortController
  readonly done: Promise<void>
}

/** What is due later is found by the poll. */
const longestWakeMs = 2000
const wakeGridMs = 5
const forgottenPauseMs = 1000

export function createQueueRunner<Row extends object>(
  { queue, concurrency, localConcurrency = concurrency, handle, onlyKeys }: QueueRegistration<Row>,
  { database, log: parentLog, metrics, workerId, deadAfterMs }: QueueRunnerOptions,
): QueueRunner {
  const { name } = queue
  const log = parentLog.child({ queue: name })
  const rows = createHeldRows(database, queue)
  const inHand = new Set<InHand<Row>>()
  /** How many of them run locally. */
  let localRows = 0
  const wakeTimers = new Map<number, NodeJS.Timeout>()
  let turn: Promise<void> | undefined
  let claimWanted = false
  let checkWanted = false
  let drained = false
  let stopped = false

  const isWanted = () => (claimWanted || checkWanted) && !stopped

  async function takeTurns(): Promise<void> {
    while (isWanted()) {
      try {
        if (checkWanted) await checkClaims()
        else await claimRows()
      } catch (error) {
        log.warn({ err: error }, 'the queue could not be read; trying again')
        claimWanted = false
        checkWanted = false
      }
    }
    turn = undefined
  }

  async function claimRows(): Promise<void> {
    claimWanted = false
    drained = false
    const limit = concurrency - (inHand.size - localRows)
    if (limit <= 0) return
    const id = workerId()
    const claimed = await rows.claim({ workerId: id, limit, deadAfterMs, onlyKeys: onlyKeys?.() })
    for (const row of claimed) begin(row, id)
    // With fewer than asked for, nothing is left that a place becoming free would have to look for.
    drained = claimed.length < limit
    if (!drained && inHand.size - localRows < concurrency) claimWanted = true
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
    const entry: InHand<Row> = {
      claim,
      isStored: adding === undefined,
      abort,
      done: runHandler(
        claim,
        adding?.then(() => void (entry.isStored = true)),
      ).finally(() => {
        inHand.delete(entry)
        if (adding !== undefined) localRows -= 1
        metrics.active.set({ queue: name }, inHand.size)
        if (!drained) wake()
      }),
    }
    inHand.add(entry)
    if (adding !== undefined) localRows += 1
    metrics.active.set({ queue: name }, inHand.size)
  }

  async function runHandler(claim: Claim<Row>, stored?: Promise<void>): Promise<void> {
    try {
      // Not in the turn that claimed it: a handler that throws at once must not stop the others from beginning.
      await (stored ?? Promise.resolve())
    } catch {
      // It was never added, which whoever wanted to add it knows.
      return
    }
    try {
      await handle(claim)
    } catch (error) {
      await putBack(claim, error)
    }
  }

  async function putBack(claim: Claim<Row>, error: unknown): Promise<void> {
    const { key, attempt } = claim
    if (claim.signal.aborted || isFenced(error)) {
      log.info({ err: error, row: key }, 'work ended because its claim did')
      if (isFenced(error)) metrics.fenced.inc({ queue: name })
      return
    }
    const delayMs = Math.min(1000 * 2 ** (attempt - 1), 60_000)
    log.error({ err: error, row: key, attempt, delayMs }, 'work failed and goes back to the queue')
    await queue.release(database, claim, { delayMs }).catch((failure: unknown) => {
      // The next check finds the row in our name without a handler, and puts it back.
      if (!isFenced(failure)) log.warn({ err: failure, row: key }, 'the row could not be put back yet')
    })
  }

  async function checkClaims(): Promise<void> {
    checkWanted = false
    const id = workerId()
    const before = [...inHand].filter(({ claim, isStored }) => isStored && claim.workerId === id)
    const held = await rows.list(id)
    const heldNames = new Set(held.map(claimName))
    for (const entry of before) {
      if (!heldNames.has(claimName(entry.claim)) && inHand.has(entry))
        entry.abort.abort(lost(entry.claim.key))
    }
    const knownNames = new Set([...inHand].map(({ claim }) => claimName(claim)))
    for (const row of held)
      if (!knownNames.has(claimName(row))) await putBackForgotten({ ...row, workerId: id })
  }

  /** A claim whose answer was lost with its connection, or a handler that returned without finishing its row. */
  async function putBackForgotten(row: Pick<Claim<Row>, 'key' | 'fence' | 'workerId'>): Promise<void> {
    try {
      await queue.release(database, row, { delayMs: forgottenPauseMs })
      log.error({ row: row.key }, 'a row was held without being worked on; it goes back to the queue')
    } catch (error) {
      // It was finished between the two looks.
      if (!isFenced(error)) throw error
    }
  }

  function lost(key: string | number): Error {
    return workFailure('fenced', { details: { queue: name, row: key } })
  }

  function wake(delayMs = 0): void {
    if (stopped || delayMs > longestWakeMs) return
    if (delayMs > 0) return wakeLater(delayMs)
    claimWanted = true
    turn ??= takeTurns()
  }

  /** Many rows that are due at about the same time share a timer. */
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
    async adopt({ row, key, add }) {
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
      if (!stopped) turn ??= takeTurns()
    },
    abort(reason, isMeant = () => true) {
      for (const { claim, abort } of inHand) if (isMeant(claim)) abort.abort(reason)
    },
    async stopClaiming() {
      stopped = true
      for (const timer of wakeTimers.values()) clearTimeout(timer)
      await turn
    },
    async untilIdle() {
      await Promise.all([...inHand].map(({ done }) => done))
    },
  }
}

/** A row can be in hand twice, when a lost claim still winds down. */
function claimName({ key, fence }: HeldRow): string {
  return `${fence} ${key}`
}

function isFenced(error: unknown): boolean {
  return error instanceof Failure && error.code === 'fenced'
}
