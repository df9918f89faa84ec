import { randomUUIDv7 } from 'node:crypto'
import type { StepRef } from '../execution/leased-execution.ts'
import type { Totals } from '../execution/totals.ts'
import type { Journal, Suspension } from '../store/commit.ts'
import { type ClosedWait, type NewWait, type StoredWait, shortWaitMs, type WaitRequest } from './wait.ts'

/**
 * The waits of one leased execution. A step that waits is a running step whose executor awaits `wait`. Its progress is the stored wait: a
 * worker that resumes the execution runs the executor again, which finds the wait and continues from it.
 *
 * | the execution                                           | then                                                                   |
 * |---------------------------------------------------------|------------------------------------------------------------------------|
 * | only waits, and no wait ends within `shortWaitMs`       | is suspended; a wait that closes puts it back into the queue           |
 * | only waits, and a wait ends sooner                      | keeps its lease; the wait is closed on time                            |
 * | also runs steps                                         | keeps its lease; closed waits are read on `engine_wake` and regularly  |
 */
export interface ExecutionWaits extends Disposable {
  /** When the step began to wait in an earlier lease; undefined: it did not. */
  startOf(step: StepRef): Date | undefined
  /** The function with which one run of a step waits. It rejects when the signal aborts, and when the execution has had too many waits. */
  waitOf(step: StepRef, signal: AbortSignal): StepWait
  /** Whether a step waits. */
  areOpen(): boolean
  /** Whether a step has opened a wait that is not stored yet. */
  hasNew(): boolean
  /** Waits that are to be stored with the next commit. */
  takeNew(): readonly NewWait[]
  /** How to suspend the execution, of which this many steps run; undefined: it must not be suspended now. */
  suspension(runningSteps: number): Pick<Suspension, 'wakes'> | undefined
  /** The steps that wait, and until when. The first 20 of them. */
  describe(): readonly Readonly<Record<string, unknown>>[]
  /** Reads the stored waits again. Steps whose wait has been closed go on. Throws when the database is unavailable. */
  refresh(): Promise<void>
}

/** Opens a wait, or finds the one that an earlier lease opened, and resolves when it is closed. `open` is invoked for a new wait alone. */
export type StepWait = (open: (now: Date) => WaitRequest | Promise<WaitRequest>) => Promise<ClosedWait>

/** The stored waits of an execution, and how many of them had been closed by then. */
export interface WaitsSnapshot {
  readonly waits: readonly StoredWait[]
  readonly wakes: number
}

/** What the waits of an execution need of the database. */
export interface WaitsStore {
  /** Those of the waits that have been closed. */
  readClosed(executionId: string, ids: readonly string[]): Promise<WaitsSnapshot>
  /** Closes those of the waits whose event was received before they were opened. */
  matchSignals(ids: readonly string[]): Promise<void>
  /** Closes those of the waits that are still open, because their time has passed. */
  timeOut(ids: readonly string[]): Promise<void>
}

interface ExecutionWaitsOptions {
  readonly executionId: string
  readonly isBatch: boolean
  readonly stored: WaitsSnapshot
  readonly store: WaitsStore
  readonly journal: Pick<Journal, 'add'>
  readonly totals: Pick<Totals, 'addWait'>
  readonly now: () => Date
  /** A step has begun to wait. */
  readonly onOpened: () => void
  /** The waits could not be read; they are read again. */
  readonly onError: (error: unknown) => void
}

/** A step that waits in this process. */
interface PendingWait extends StepRef {
  readonly id: string
  readonly kind: WaitRequest['kind']
  readonly wakeAt: Date | null
  /**
   * How many waits of the execution had been closed when this one was last known to be open. A wait that is closed raises the number in the
   * database above this one.
   */
  openAtWakes: number
  readonly resolve: (closed: ClosedWait) => void
}

/** Closed waits of an execution that runs are read at this interval even if no notification arrives. */
const readEveryMs = 5000

const uncommittedDelayMs = 20
const retryDelayMs = 1000

/** Of very many waits of a batch, events name the first. */
const maxDescribed = 20

export function createExecutionWaits(options: ExecutionWaitsOptions): ExecutionWaits {
  const { executionId, isBatch, store, journal, totals, now, onOpened, onError } = options
  const stored = new Map(options.stored.waits.map((wait) => [keyOf(wait, wait.number), wait]))
  /** The highest number of closed waits that a read has seen. */
  let { wakes } = options.stored
  const pending = new Map<string, PendingWait>()
  let opened: NewWait[] = []
  let isDisposed = false
  let timer: NodeJS.Timeout | undefined
  let timerAtMs = Number.POSITIVE_INFINITY

  function itemField(item: number): { readonly item?: number } {
    return isBatch ? { item } : {}
  }

  /** Reads the waits when the next of them ends, or after a while. */
  function arm(minDelayMs = 0): void {
    if (pending.size === 0 || isDisposed) return
    let delayMs = readEveryMs
    for (const { wakeAt } of pending.values()) delayMs = Math.min(delayMs, untilMs(wakeAt))
    delayMs = Math.max(minDelayMs, delayMs)
    const atMs = performance.now() + delayMs
    if (atMs >= timerAtMs) return
    clearTimeout(timer)
    timerAtMs = atMs
    timer = setTimeout(() => {
      timerAtMs = Number.POSITIVE_INFINITY
      void closeAndRead()
    }, delayMs)
  }

  function untilMs(wakeAt: Date | null): number {
    return wakeAt === null ? Number.POSITIVE_INFINITY : Math.max(0, wakeAt.getTime() - now().getTime())
  }

  async function closeAndRead(): Promise<void> {
    const due = [...pending.values()].filter(({ wakeAt }) => untilMs(wakeAt) === 0).map(({ id }) => id)
    try {
      if (due.length > 0) await store.timeOut(due)
      await refresh()
    } catch (error) {
      onError(error)
      return arm(retryDelayMs)
    }
    // A wait of a few milliseconds may end before it is stored.
    arm(due.some((id) => pending.has(id)) ? uncommittedDelayMs : 0)
  }

  async function refresh(): Promise<void> {
    if (pending.size === 0) return
    const asked = [...pending.values()]
    const read = await store.readClosed(
      executionId,
      asked.map(({ id }) => id),
    )
    wakes = Math.max(wakes, read.wakes)
    // Only of these: a wait that began during the read may be among those that its number counts.
    for (const waiting of asked) waiting.openAtWakes = Math.max(waiting.openAtWakes, read.wakes)
    for (const wait of read.waits) {
      const closed = closedOf(wait)
      const waiting = pending.get(wait.id)
      if (closed === undefined || waiting === undefined) continue
      pending.delete(wait.id)
      waiting.resolve(closed)
    }
  }

  function openWait(step: StepRef, number: number, request: WaitRequest): NewWait {
    totals.addWait()
    const wait = { ...request, ...step, id: randomUUIDv7(), number, createdAt: now() }
    opened.push(wait)
    journal.add('wait_opened', {
      step_id: step.stepId,
      wait_id: wait.id,
      kind: wait.kind,
      until: wait.wakeAt.toISOString(),
      ...itemField(step.item),
    })
    return wait
  }

  async function untilClosed(
    step: StepRef,
    { id, kind, wakeAt, openAtWakes }: Pick<PendingWait, 'id' | 'kind' | 'wakeAt' | 'openAtWakes'>,
    signal: AbortSignal,
  ): Promise<ClosedWait> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<ClosedWait>()
    const rejectOnAbort = () => reject(signal.reason)
    signal.addEventListener('abort', rejectOnAbort, { once: true })
    pending.set(id, { ...step, id, kind, wakeAt, openAtWakes, resolve })
    arm()
    onOpened()
    try {
      return await promise
    } finally {
      pending.delete(id)
      signal.removeEventListener('abort', rejectOnAbort)
    }
  }

  async function openAndWait(
    step: StepRef,
    number: number,
    open: Parameters<StepWait>[0],
    signal: AbortSignal,
  ): Promise<ClosedWait> {
    const asked = open(now())
    // Without a promise, the wait is open before anything else runs.
    const request = asked instanceof Promise ? await asked : asked
    signal.throwIfAborted()
    return await untilClosed(step, { ...openWait(step, number, request), openAtWakes: wakes }, signal)
  }

  return {
    startOf: (step) => stored.get(keyOf(step, 1))?.createdAt,

    waitOf(step, signal) {
      let number = 0
      return async (open) => {
        number += 1
        const known = stored.get(keyOf(step, number))
        const closed =
          known === undefined
            ? await openAndWait(step, number, open, signal)
            : (closedOf(known) ??
              (await untilClosed(step, { ...known, openAtWakes: options.stored.wakes }, signal)))
        journal.add('wait_closed', {
          step_id: step.stepId,
          wait_id: closed.id,
          state: closed.state,
          by: closed.answeredBy,
          ...itemField(step.item),
        })
        return closed
      }
    },

    areOpen: () => pending.size > 0,
    hasNew: () => opened.length > 0,

    takeNew() {
      const taken = opened
      opened = []
      return taken
    },

    suspension(runningSteps) {
      if (pending.size === 0 || pending.size < runningSteps || opened.length > 0) return undefined
      const waits = [...pending.values()]
      if (waits.some(({ wakeAt }) => untilMs(wakeAt) <= shortWaitMs)) return undefined
      return { wakes: waits.reduce((least, { openAtWakes }) => Math.min(least, openAtWakes), wakes) }
    },

    describe: () =>
      [...pending.values()].slice(0, maxDescribed).map(({ stepId, item, kind, wakeAt }) => ({
        step_id: stepId,
        kind,
        until: wakeAt?.toISOString() ?? null,
        ...itemField(item),
      })),

    refresh,
    [Symbol.dispose]() {
      isDisposed = true
      clearTimeout(timer)
    },
  }
}

function keyOf({ item, stepId }: StepRef, number: number): string {
  return `${item} ${number} ${stepId}`
}

function closedOf({ id, state, answer, answeredBy, comment, closedAt }: StoredWait): ClosedWait | undefined {
  if (state === 'open' || closedAt === null) return undefined
  return { id, state, answer, answeredBy, comment, closedAt }
}
