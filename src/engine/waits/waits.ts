import { type Database, retryConflicts } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import type { RecurringTask } from '#kernel/work'
import type { GateScope } from '../gates/open-gate.ts'
import { type ClosedNow, closeWaits } from './close-waits.ts'
import type { WaitsStore } from './execution-waits.ts'
import { readClosedWaits } from './read-waits.ts'
import { deleteOldSignals, matchSignals, type Signal, sendSignal } from './signals.ts'
import { startWaitTimers } from './timers.ts'

interface WaitsOptions {
  readonly database: Database
  readonly log: Logger
  /** Admits parked executions of these accounts into free slots. */
  readonly promote: (accountIds: readonly string[]) => Promise<void>
  /** Lets executions pass the gate of their flow. */
  readonly openGate: (scope: GateScope) => void
}

/** The waits of all executions. */
export interface Waits extends AsyncDisposable {
  readonly store: WaitsStore
  readonly task: RecurringTask
  /**
   * Sends an event to all steps of the account that wait for it, and keeps it for those that begin to wait later. Sent again under the same
   * id within two days, it changes nothing and answers the same. Throws `too_many_events`.
   */
  send(event: Signal): Promise<{ readonly matched: number }>
  /** To be called with the waits that a statement has closed: executions that were suspended need a slot again. */
  readonly onClosed: (closed: readonly ClosedNow[]) => void
}

const cleanUpEveryMs = 3_600_000

/** Opens the waits of all executions, and closes those whose time passes. */
export function openWaits({ database, log, promote, openGate }: WaitsOptions): Waits {
  function onClosed(closed: readonly ClosedNow[]): void {
    for (const { gatedFlow: flowId, concurrencyKey } of closed) {
      if (flowId !== null) openGate({ flowId, concurrencyKey })
    }
    const accounts = new Set(closed.flatMap(({ parkedAccount }) => parkedAccount ?? []))
    if (accounts.size === 0) return
    promote([...accounts]).catch((error: unknown) => {
      // The recurring task `engine.promote` promotes them.
      log.warn({ err: error }, 'executions that are to be resumed could not be promoted, retrying')
    })
  }

  const timers = startWaitTimers({ database, log, onClosed })
  return {
    store: {
      readClosed: (executionId, ids) => readClosedWaits(database, executionId, ids),
      matchSignals: async (ids) => onClosed(await matchSignals(database, ids)),
      timeOut: async (ids) =>
        onClosed(await retryConflicts(() => closeWaits(database, ids, { state: 'timed_out' }))),
    },
    task: {
      name: 'engine.waits',
      everyMs: cleanUpEveryMs,
      async run(signal) {
        await cancelWaits(database, signal)
        await deleteOldSignals(database, signal)
      },
    },
    async send(event) {
      const { matched, closed } = await sendSignal(database, event)
      onClosed(closed)
      return { matched }
    },
    onClosed,
    [Symbol.asyncDispose]: () => timers[Symbol.asyncDispose](),
  }
}

const chunkSize = 1000

/**
 * Until then, readers leave out the open waits of an execution that has ended. Skips locked waits, which are being closed or deleted with
 * their executions: it has not locked the executions, so waiting for one while it has others could be a deadlock.
 */
const cancelStatement = `
  update engine_waits set state = 'cancelled', closed_at = now()
  where state = 'open' and id = any(array(
    select wait.id
    from engine_waits as wait
    join engine_executions as execution on execution.id = wait.execution_id
    where wait.state = 'open' and execution.work_state = 'finished'
    limit ${chunkSize}
    for no key update of wait skip locked
  ))
  returning 1
`

async function cancelWaits(database: Pick<Database, 'query'>, signal: AbortSignal): Promise<void> {
  for (let count = chunkSize; count === chunkSize; ) {
    signal.throwIfAborted()
    count = (await database.query(cancelStatement)).length
  }
}
