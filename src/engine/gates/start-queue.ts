import { type Database, storeInGroups } from '#kernel/database'
import { Failure } from '#kernel/errors'
import type { Executor } from '#kernel/work'
import type { NewExecution } from '../store/start-writer.ts'
import type { Gate } from './gate-of.ts'
import { lockGate, type Opened, openGate } from './open-gate.ts'
import { recordGated, type StoredAtGate, storeAtGate } from './store-at-gate.ts'

interface WaitingStart {
  readonly execution: NewExecution
  readonly gate: Gate
  readonly resolve: (stored: StoredAtGate) => void
  readonly reject: (error: unknown) => void
}

export interface StartQueue extends AsyncDisposable {
  /** Resolves once the execution is on disk. Throws `too_many_gated`. */
  start(execution: NewExecution, gate: Gate): Promise<StoredAtGate>
}

interface StartQueueOptions {
  readonly database: Pick<Database, 'transaction'>
  /** Called with the executions that passed the gate, before their starts resolve. Must not throw. */
  readonly onOpened: (opened: Opened) => Promise<void>
}

/** Starts in one transaction, and flows whose starts are stored at the same time. */
const [maxPerBatch, maxAtOnce] = [50, 3]

/**
 * Stores starts of flows with limits. All starts of a flow need the lock of its gate, so those of one process share a transaction: however
 * many wait, they take one connection per flow, and a few in total. Other flows and accounts keep the rest of the pool.
 */
export function createStartQueue({ database, onOpened }: StartQueueOptions): StartQueue {
  const waiting = new Map<string, WaitingStart[]>()
  const running = new Map<string, Promise<void>>()

  async function store(flowId: string, batch: readonly WaitingStart[]): Promise<readonly Outcome[]> {
    const { outcomes, opened } = await database.transaction((transaction) =>
      storeTogether(transaction, flowId, batch),
    )
    if (opened !== undefined) await onOpened(opened)
    return outcomes
  }

  async function storeBatch(flowId: string, batch: readonly WaitingStart[]): Promise<void> {
    const stored = await storeInGroups(batch, {
      // Each start has statements of its own, so their lengths do not add up.
      lengthOf: () => 0,
      store: (group) => store(flowId, group),
    })
    for (const [index, { resolve, reject }] of batch.entries()) {
      const outcome = stored[index]
      if (outcome === undefined || 'error' in outcome) reject(outcome?.error)
      else if (outcome.value instanceof Failure) reject(outcome.value)
      else resolve(outcome.value)
    }
  }

  /** Each flow in turn: one that has more starts goes to the end. */
  function storeWaiting(): void {
    for (const [flowId, starts] of waiting) {
      if (running.size >= maxAtOnce) return
      if (running.has(flowId)) continue
      const batch = starts.splice(0, maxPerBatch)
      waiting.delete(flowId)
      if (starts.length > 0) waiting.set(flowId, starts)
      const storing = storeBatch(flowId, batch).finally(() => {
        running.delete(flowId)
        storeWaiting()
      })
      running.set(flowId, storing)
    }
  }

  return {
    start(execution, gate) {
      const { promise, resolve, reject } = Promise.withResolvers<StoredAtGate>()
      const starts = waiting.get(execution.flowId) ?? []
      starts.push({ execution, gate, resolve, reject })
      waiting.set(execution.flowId, starts)
      storeWaiting()
      return promise
    },
    async [Symbol.asyncDispose]() {
      while (running.size > 0) await Promise.all(running.values())
    },
  }
}

/** A start that is refused has written nothing, so the others of the transaction are not affected. */
type Outcome = StoredAtGate | Failure

async function storeTogether(
  transaction: Executor,
  flowId: string,
  batch: readonly Pick<WaitingStart, 'execution' | 'gate'>[],
): Promise<{ readonly outcomes: readonly Outcome[]; readonly opened: Opened | undefined }> {
  await lockGate(transaction, flowId)
  const outcomes: Outcome[] = []
  const atGate: Pick<WaitingStart, 'execution' | 'gate'>[] = []
  for (const start of batch) {
    const outcome = await storeOne(transaction, start)
    outcomes.push(outcome)
    if (!(outcome instanceof Failure) && outcome.outcome === 'waiting') atGate.push(start)
  }
  if (atGate.length === 0) return { outcomes, opened: undefined }
  const [first, ...others] = [...new Set(atGate.map(({ gate }) => gate.concurrencyKey))]
  const opened = await openGate(transaction, {
    flowId,
    concurrencyKey: others.length === 0 ? (first ?? null) : null,
  })
  const passed = new Set(opened.passed)
  for (const { execution, gate } of atGate) {
    if (passed.has(execution.id)) continue
    const isThrottled = gate.concurrencyKey === null || opened.dueInMs !== null
    await recordGated(transaction, execution.id, isThrottled ? 'throttle' : 'concurrency')
  }
  return { outcomes, opened }
}

async function storeOne(
  transaction: Executor,
  { execution, gate }: Pick<WaitingStart, 'execution' | 'gate'>,
): Promise<Outcome> {
  try {
    return await storeAtGate(transaction, execution, gate)
  } catch (error) {
    if (error instanceof Failure && error.code === 'too_many_gated') return error
    throw error
  }
}
