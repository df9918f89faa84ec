import { type Database, retryConflicts } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import type { RecurringTask } from '#kernel/work'
import type { NewExecution } from '../store/start-writer.ts'
import type { Gate } from './gate-of.ts'
import { type GateScope, lockGate, type Opened, openGate } from './open-gate.ts'
import { createOpeningQueue } from './opening-queue.ts'
import { createStartQueue } from './start-queue.ts'
import type { StoredAtGate } from './store-at-gate.ts'

interface GatesOptions {
  readonly database: Database
  readonly log: Pick<Logger, 'warn'>
  /** Admits parked executions of these accounts into free slots. */
  readonly promote: (accountIds: readonly string[]) => Promise<void>
}

/**
 * The gates of all flows with limits.
 *
 * | what happens                                          | who opens the gate                                                     |
 * |-------------------------------------------------------|------------------------------------------------------------------------|
 * | an execution starts                                   | the transaction that stores it                                         |
 * | an execution ends, is suspended, woken or recovered   | the process in which it happens, at once                               |
 * | a debounce ends, a throttle allows the next start     | every process; the lock of the gate makes the second one find nothing  |
 * | a process crashes before it has opened a gate         | the recurring task `engine.gates`, which opens all of them             |
 */
export interface Gates extends AsyncDisposable {
  /** Stores an execution of a flow with limits. Resolves once it is on disk. Throws `too_many_gated`. */
  start(execution: NewExecution, gate: Gate): Promise<StoredAtGate>
  /** To be called when an execution came to the gate, or left a slot of its key. Returns at once. */
  readonly open: (scope: GateScope) => void
  readonly task: RecurringTask
}

/** Gates that other processes set are found within this time. */
const maxDelayMs = 1000
const minDelayMs = 10
const openAllEveryMs = 5000

/** Flows per statement, and per call of the recurring task. */
const maxFlows = 200
const maxFlowsPerCall = 2000

const dueStatement = `
  select flow_id from engine_gates where due_at <= clock_timestamp() order by due_at limit ${maxFlows}
`

/** In milliseconds; null: nothing waits for a time. */
const nextStatement = `
  select (extract(epoch from min(due_at) - clock_timestamp()) * 1000)::float8 as delay from engine_gates
`

const nextGated = (after: string) => `
  (select flow_id from engine_executions where work_state = 'gated' and flow_id > ${after} order by flow_id limit 1)
`

/** A loose index scan: reads one index entry per flow, however many of its executions are gated. */
const gatedFlowsStatement = `
  with recursive gated (flow_id) as (
    select ${nextGated('$1')}
    union all
    select ${nextGated('gated.flow_id')} from gated where gated.flow_id is not null
  )
  select flow_id from gated where flow_id is not null limit $2
`

/**
 * A throttle whose time has passed lets the next execution start at once, as one without a row does. Skips locked rows: a gate writes
 * several of them in another order.
 */
const pruneStatement = `
  delete from engine_throttles where ctid = any(array(
    select ctid from engine_throttles where next_at < now() - interval '1 minute' limit 10000 for update skip locked
  ))
`

export function openGates({ database, log, promote }: GatesOptions): Gates {
  /** The last flow that the recurring task has opened. */
  let cursor = ''

  async function onOpened({ accounts, dueInMs }: Opened): Promise<void> {
    if (dueInMs !== null) timer.within(dueInMs)
    if (accounts.length > 0) await promote(accounts)
  }

  const openings = createOpeningQueue(async (scope) => {
    try {
      const opened = await retryConflicts(() =>
        database.transaction(async (transaction) => {
          await lockGate(transaction, scope.flowId)
          return await openGate(transaction, scope)
        }),
      )
      await onOpened(opened)
    } catch (error) {
      // The recurring task opens it.
      log.warn({ err: error }, 'executions at the gate of a flow could not be started, retrying')
    }
  })

  const starts = createStartQueue({
    database,
    onOpened: (opened) =>
      onOpened(opened).catch((error: unknown) => {
        // They are on disk. The recurring task `engine.promote` promotes them.
        log.warn({ err: error }, 'executions that passed the gate of a flow could not be promoted, retrying')
      }),
  })

  const timer = startTimer(async () => {
    const due = await database.query<{ flow_id: string }>(dueStatement, [], 'engine_gates_due')
    for (const { flow_id: flowId } of due) openings.add({ flowId, concurrencyKey: null })
    await openings.settled()
    const [next] = await database.query<{ delay: number | null }>(nextStatement, [], 'engine_gates_next')
    return next?.delay ?? maxDelayMs
  }, log)

  return {
    async start(execution, gate) {
      const stored = await starts.start(execution, gate)
      if (stored.outcome === 'held') timer.within(gate.debounce?.periodMs ?? 0)
      return stored
    },
    open: openings.add,
    task: {
      name: 'engine.gates',
      everyMs: openAllEveryMs,
      async run(signal) {
        for (let seen = 0; seen < maxFlowsPerCall; seen += maxFlows) {
          signal.throwIfAborted()
          const flows = await database.query<{ flow_id: string }>(gatedFlowsStatement, [cursor, maxFlows])
          for (const { flow_id: flowId } of flows) openings.add({ flowId, concurrencyKey: null })
          const isLast = flows.length < maxFlows
          cursor = isLast ? '' : (flows.at(-1)?.flow_id ?? '')
          if (isLast) break
        }
        await database.query(pruneStatement)
      },
    },
    async [Symbol.asyncDispose]() {
      await starts[Symbol.asyncDispose]()
      await timer[Symbol.asyncDispose]()
      await openings[Symbol.asyncDispose]()
    },
  }
}

interface GateTimer extends AsyncDisposable {
  /** The next run is due within this time. */
  within(delayMs: number): void
}

/** Calls `run` again and again, after the delay that it returns. */
function startTimer(run: () => Promise<number>, log: Pick<Logger, 'warn'>): GateTimer {
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let isClosed = false
  let isRunning = false
  let ended: Promise<void> = Promise.resolve()

  async function tick(): Promise<void> {
    isRunning = true
    dueAt = Number.POSITIVE_INFINITY
    let delayMs = maxDelayMs
    try {
      delayMs = await run()
    } catch (error) {
      log.warn({ err: error }, 'gates that are due could not be read, retrying in 1 s')
    }
    isRunning = false
    arm(Math.min(delayMs, dueAt - performance.now()))
  }

  function arm(delayMs: number): void {
    if (isClosed) return
    clearTimeout(timer)
    const boundedMs = Math.min(maxDelayMs, Math.max(minDelayMs, delayMs))
    dueAt = performance.now() + boundedMs
    timer = setTimeout(() => {
      ended = tick()
    }, boundedMs)
  }

  arm(0)
  return {
    within(delayMs) {
      const wantedAt = performance.now() + delayMs
      if (wantedAt >= dueAt) return
      if (isRunning) dueAt = wantedAt
      else arm(delayMs)
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(timer)
      await ended
    },
  }
}
