import { randomUUIDv7 } from 'node:crypto'
import type { Database } from '#kernel/database'
import type { Worker } from '#kernel/work'
import type { Cancel } from './control/control.ts'
import { engineFailure } from './errors.ts'
import type { ExecutionInput, Priority } from './execution/input.ts'
import type { Page } from './flows/read-flows.ts'
import { type FollowedEvent, type FollowOptions, followExecution } from './live/follow-execution.ts'
import type { Live, LiveStep } from './live/live.ts'
import type { LeaseEnd } from './store/commit.ts'
import {
  type ExecutionFilter,
  type ExecutionPage,
  type LatestRun,
  listExecutions,
  readLatestRuns,
} from './store/list-executions.ts'
import { type ExecutionRow, executionQueue } from './store/queue.ts'
import { readExecution, type StoredExecution } from './store/read-execution.ts'
import type { NewExecution, StartWriter } from './store/start-writer.ts'
import {
  countScopes,
  type NestedCounts,
  readScope,
  readScopes,
  type ScopeAddress,
  type ScopePage,
  type TracedScope,
} from './trace/read-scopes.ts'

/** Starts, reads, follows and cancels executions. */
export interface Executions {
  /** Puts an execution into the queue. Resolves once it is on disk. */
  enqueue(start: ExecutionStart): Promise<QueuedExecution>
  /**
   * Runs an execution at once in this process. Resolves when it is on disk and running. Throws `too_many_executions` when the account
   * has no free slot, `no_local_slot` when this process has none, and `execution_exists` when the id is taken.
   */
  start(execution: ExecutionStart, worker: Worker): Promise<StartedExecution>
  /** Undefined: there is no execution with this id. */
  read(id: string): Promise<ExecutionRecord | undefined>
  /** The steps of one scope of a container, for the trace; undefined when the execution has no such scope. */
  readScope(execution: StoredExecution, at: ScopeAddress): Promise<TracedScope | undefined>
  /** The scopes of a container that have an outcome, failed ones first. Undefined: the container has not been opened. */
  readScopes(execution: StoredExecution, at: ScopeAddress, page: Page): Promise<ScopePage | undefined>
  /** The ended scopes of every opened container, by the step path of the container. */
  countScopes(id: string, item: number): Promise<ReadonlyMap<string, NestedCounts>>
  list(filter: ExecutionFilter): Promise<ExecutionPage>
  /** The newest executions of each flow, the newest first; of one account, or of all. */
  latestOf(
    flowIds: readonly string[],
    filter: { readonly accountId: string | undefined; readonly count: number },
  ): Promise<readonly LatestRun[]>
  /** Yields the events of an execution, stored and new ones, until it ends. */
  follow(options: FollowOptions): AsyncGenerator<FollowedEvent, void>
  readonly cancel: Cancel
}

/** A stored execution with its live steps. */
export interface ExecutionRecord extends StoredExecution {
  /** Running steps. */
  readonly live: readonly LiveStep[]
}

interface ExecutionStart {
  readonly flowId: string
  readonly flowVersion: number
  readonly accountId: string
  readonly priority: Priority
  readonly input: ExecutionInput
  /** A uuid that makes the start idempotent. */
  readonly id?: string | undefined
  /** Parks the execution until it is approved. */
  readonly needsApproval?: boolean | undefined
  readonly scheduleId?: string | undefined
  /** The execution that it runs again. */
  readonly rerunOf?: string | undefined
  /** The trigger that starts it. */
  readonly triggerId?: string | undefined
}

interface StartedExecution {
  readonly id: string
  /** Resolves when it has ended, or was suspended because it only waits. Rejects when another worker ends it: read it then. */
  readonly end: Promise<LeaseEnd>
}

interface QueuedExecution {
  readonly id: string
  readonly parked: boolean
  /** An execution with this id existed already, and nothing was added. */
  readonly known: boolean
}

export interface ExecutionsOptions {
  readonly database: Database
  readonly starts: StartWriter
  readonly live: Live
  readonly cancel: Cancel
  readonly maxOf: (accountId: string) => Promise<number>
  /** Callers that wait for an execution that runs here. */
  readonly waiting: Map<string, PromiseWithResolvers<LeaseEnd>>
  readonly onParked: (accountId: string) => void
}

export function createExecutions(options: ExecutionsOptions): Executions {
  const { database, starts, live, cancel, maxOf, waiting, onParked } = options

  async function prepare(requested: ExecutionStart): Promise<NewExecution> {
    const { id = randomUUIDv7(), needsApproval = false, scheduleId, ...rest } = requested
    return { ...rest, id, needsApproval, scheduleId, maxActive: await maxOf(requested.accountId) }
  }

  return {
    async enqueue(requested) {
      const execution = await prepare(requested)
      const outcome = await starts.write(execution)
      if (outcome === 'parked' && !execution.needsApproval) onParked(execution.accountId)
      return { id: execution.id, parked: outcome === 'parked', known: outcome === 'known' }
    },

    async start(requested, worker) {
      const execution = await prepare(requested)
      const { id } = execution
      const startedAt = new Date()
      const waiter = Promise.withResolvers<LeaseEnd>()
      waiter.promise.catch(() => {})
      waiting.set(id, waiter)
      try {
        await worker.runLocally(executionQueue, {
          row: localRow(execution, startedAt),
          key: id,
          add: async ({ workerId }) => {
            const outcome = await starts.write({ ...execution, lease: { workerId, startedAt } })
            if (outcome === 'refused') {
              throw engineFailure('too_many_executions', { details: { limit: execution.maxActive } })
            }
            if (outcome === 'known')
              throw engineFailure('execution_exists', { details: { execution_id: id } })
          },
        })
      } catch (error) {
        waiting.delete(id)
        throw error
      }
      return { id, end: waiter.promise }
    },

    async read(id) {
      const stored = await readExecution(database, id)
      if (stored === undefined) return undefined
      return { ...stored, live: stored.status === 'running' ? runningSteps(stored, live.stepsOf(id)) : [] }
    },

    readScope: (execution, at) => readScope(database, execution, at),
    readScopes: (execution, at, page) => readScopes(database, execution, at, page),
    countScopes: (id, item) => countScopes(database, id, item),
    list: (filter) => listExecutions(database, filter),
    latestOf: (flowIds, filter) => readLatestRuns(database, flowIds, filter),
    follow: (followOptions) => followExecution({ database, live }, followOptions),
    cancel,
  }
}

function keyOf({ item, stepId }: Pick<LiveStep, 'item' | 'stepId'>): string {
  return `${item} ${stepId}`
}

/** Steps that started and have no outcome yet. Live messages add their phase and text. */
function runningSteps({ events, outcomes }: StoredExecution, liveSteps: readonly LiveStep[]): LiveStep[] {
  const started = events.flatMap(({ type, at, data: { step_id: stepId, item = 0 } }) =>
    type === 'step_started' && typeof stepId === 'string' && typeof item === 'number'
      ? [{ stepId, item, startedAt: at, phase: null, text: '' }]
      : [],
  )
  const steps = new Map<string, LiveStep>(started.map((step) => [keyOf(step), step]))
  for (const step of liveSteps) {
    steps.set(keyOf(step), { ...step, startedAt: steps.get(keyOf(step))?.startedAt ?? step.startedAt })
  }
  for (const outcome of outcomes) steps.delete(keyOf(outcome))
  return [...steps.values()]
}

function localRow(
  { id, flowId, flowVersion, accountId, priority, input }: NewExecution,
  startedAt: Date,
): ExecutionRow {
  return {
    id,
    flow_id: flowId,
    flow_version: flowVersion,
    account_id: accountId,
    status: 'running',
    priority,
    input,
    spent: 0,
    reserved: 0,
    approval: null,
    cancel: null,
    forked_from: null,
    created_at: startedAt,
    started_at: startedAt,
    timed_from: null,
    resumed_at: null,
    active_ms: 0,
    suspended_at: null,
    wakes: 0,
    isLocal: true,
  }
}
