import { randomUUIDv7 } from 'node:crypto'
import type { Database } from '#kernel/database'
import type { Worker } from '#kernel/work'
import type { Cancel } from './control/control.ts'
import { engineFailure } from './errors.ts'
import type { ExecutionInput, Priority } from './execution/input.ts'
import type { FlowVersions, Page } from './flows/read-flows.ts'
import { type Gate, gateOf } from './gates/gate-of.ts'
import type { Gates } from './gates/gates.ts'
import { type FollowedEvent, type FollowOptions, followExecution } from './live/follow-execution.ts'
import type { Live, LiveStep } from './live/live.ts'
import type { LeaseEnd } from './store/commit.ts'
import { countExecutions, type ExecutionCounts } from './store/count-executions.ts'
import type { ExecutionFilter } from './store/execution-filter.ts'
import { type ExecutionExport, exportExecutions } from './store/export-executions.ts'
import type { LargeOutputs } from './store/large-outputs.ts'
import { type LatestRun, readLatestRuns } from './store/latest-runs.ts'
import { type ExecutionListing, type ExecutionPage, listExecutions } from './store/list-executions.ts'
import { type ExecutionRow, executionQueue } from './store/queue.ts'
import { readExecution, readWithTexts, type StoredExecution } from './store/read-execution.ts'
import type { NewExecution, StartWriter } from './store/start-writer.ts'
import {
  countEndedScopes,
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
  /**
   * Puts an execution into the queue, or to the gate of its flow. Resolves once it is on disk. Throws `invalid_input` when an expression
   * of the limits of the flow has no value, and `too_many_gated`.
   */
  enqueue(start: ExecutionStart): Promise<QueuedExecution>
  /**
   * Runs an execution at once in this process. Resolves when it is on disk and running. Throws `too_many_executions` when the account
   * has no free slot, `no_local_slot` when this process has none, `flow_has_limits` when it must come to the gate of its flow first,
   * and `execution_exists` when the id is taken.
   */
  start(execution: ExecutionStart, worker: Worker): Promise<StartedExecution>
  /** Undefined: there is no execution with this id. */
  read(id: string): Promise<ExecutionRecord | undefined>
  /** The same, with large outputs as a `JsonText`, for responses that have them as they are. */
  readWithTexts(id: string): Promise<ExecutionRecord | undefined>
  /** The steps of one scope of a container, for the trace; undefined when the execution has no such scope. */
  readScope(execution: StoredExecution, at: ScopeAddress): Promise<TracedScope | undefined>
  /** The scopes of a container that have an outcome, failed ones first. Undefined: the container has not been opened. */
  readScopes(execution: StoredExecution, at: ScopeAddress, page: Page): Promise<ScopePage | undefined>
  /** The ended scopes of every opened container, by the step path of the container. */
  countScopes(id: string, item: number): Promise<ReadonlyMap<string, NestedCounts>>
  /** The same for containers of the flow itself that are named, without a batch. */
  countEndedScopes(id: string, containers: readonly string[]): Promise<ReadonlyMap<string, NestedCounts>>
  list(listing: ExecutionListing): Promise<ExecutionPage>
  /** Counts the newest matches by state, flow and error. */
  count(filter: ExecutionFilter): Promise<ExecutionCounts>
  /** Prepares the export of matching executions, newest first; its pages are read one by one. */
  export(filter: ExecutionFilter): Promise<ExecutionExport>
  /** The account of each execution that exists, by id. */
  accountsOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
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
  /** That of an earlier execution when this start was combined with it. */
  readonly id: string
  /** An execution of the same debounce key had not started yet, and has the input of this start now. */
  readonly debounced: boolean
  readonly parked: boolean
  /** An execution with this id existed already, and nothing was added. */
  readonly known: boolean
}

export interface ExecutionsOptions {
  readonly database: Database
  readonly outputs: Pick<LargeOutputs, 'read' | 'readTexts'>
  /** The flows that steps of executions run. */
  readonly versions: Pick<FlowVersions, 'read' | 'graphOf'>
  readonly starts: StartWriter
  readonly live: Live
  readonly cancel: Cancel
  readonly maxOf: (accountId: string) => Promise<number>
  readonly gates: Pick<Gates, 'start'>
  /** Callers that wait for an execution that runs here. */
  readonly waiting: Map<string, PromiseWithResolvers<LeaseEnd>>
  readonly onParked: (accountId: string) => void
}

export function createExecutions(options: ExecutionsOptions): Executions {
  const { database, outputs, starts, live, cancel, maxOf, waiting, onParked, versions, gates } = options

  /** Versions are cached, so that flows without limits need no further statement. */
  async function prepare(
    requested: ExecutionStart,
  ): Promise<NewExecution & { readonly gate: Gate | undefined }> {
    const { id = randomUUIDv7(), needsApproval = false, scheduleId, ...rest } = requested
    const [maxActive, definition] = await Promise.all([
      maxOf(requested.accountId),
      versions.read(requested.flowId, requested.flowVersion),
    ])
    return { ...rest, id, needsApproval, scheduleId, maxActive, ...gateOf(definition, requested) }
  }

  function withLive(stored: StoredExecution | undefined): ExecutionRecord | undefined {
    if (stored === undefined) return undefined
    return {
      ...stored,
      live: stored.status === 'running' ? runningSteps(stored, live.stepsOf(stored.id)) : [],
    }
  }

  return {
    async enqueue(requested) {
      const { gate, ...execution } = await prepare(requested)
      if (gate !== undefined) {
        const { id, outcome } = await gates.start(execution, gate)
        return { id, parked: true, known: outcome === 'known', debounced: outcome === 'debounced' }
      }
      const outcome = await starts.write(execution)
      if (outcome === 'parked' && !execution.needsApproval) onParked(execution.accountId)
      return { id: execution.id, parked: outcome === 'parked', known: outcome === 'known', debounced: false }
    },

    async start(requested, worker) {
      const { gate, ...execution } = await prepare(requested)
      const { id } = execution
      if (gate !== undefined) throw engineFailure('flow_has_limits')
      const startedAt = database.clock.now()
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

    read: async (id) => withLive(await readExecution({ database, outputs }, id)),
    readWithTexts: async (id) => withLive(await readWithTexts({ database, outputs }, id)),

    readScope: (execution, at) => readScope({ database, versions, outputs }, execution, at),
    readScopes: (execution, at, page) => readScopes({ database, versions, outputs }, execution, at, page),
    countScopes: (id, item) => countScopes(database, id, item),
    countEndedScopes: (id, containers) => countEndedScopes(database, id, containers),
    list: (listing) => listExecutions(database, listing),
    count: (filter) => countExecutions(database, filter),
    export: (filter) => exportExecutions(database, filter),
    async accountsOf(ids) {
      const rows = await database.query<{ id: string; account_id: string }>(
        'select id, account_id from engine_executions where id = any($1::uuid[])',
        [ids],
      )
      return new Map(rows.map(({ id, account_id: accountId }) => [id, accountId]))
    },
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
    concurrency_key: null,
    throttle_key: null,
    gated_at: null,
    isLocal: true,
  }
}
