import { randomUUIDv7 } from 'node:crypto'
import type { Database } from '#kernel/database'
import type { Worker } from '#kernel/work'
import type { Cancel } from './control/cancel.ts'
import { engineFailure } from './errors.ts'
import type { ExecutionInput, Priority } from './execution/input.ts'
import { type FollowedEvent, type FollowOptions, followExecution } from './live/follow-execution.ts'
import type { Live } from './live/live.ts'
import type { LiveStep } from './live/live-steps.ts'
import type { ExecutionEnd } from './store/commit.ts'
import { type LatestRun, readLatestRuns } from './store/latest-runs.ts'
import { type ExecutionFilter, type ExecutionPage, listExecutions } from './store/list-executions.ts'
import { type ExecutionRow, executionQueue } from './store/queue.ts'
import { readExecution, type StoredExecution } from './store/read-execution.ts'
import type { NewExecution, StartWriter } from './store/start-writer.ts'

export interface WhatToRun {
  readonly flowId: string
  readonly flowVersion: number
  readonly accountId: string
  readonly priority: Priority
  readonly input: ExecutionInput
  /** A uuid, for those who must not start the same thing twice. */
  readonly id?: string | undefined
  /** It waits until somebody agrees. */
  readonly needsApproval?: boolean | undefined
  readonly scheduleId?: string | undefined
}

interface StartedExecution {
  readonly id: string
  /** How it ended. Rejects when that happens elsewhere: then the row tells. */
  readonly end: Promise<ExecutionEnd>
}

interface QueuedExecution {
  readonly id: string
  readonly parked: boolean
  /** There was one of this id already, and nothing was added. */
  readonly known: boolean
}

/** An execution with all that is known of it, stored or just heard. */
export interface ExecutionRecord extends StoredExecution {
  /** Steps under way. */
  readonly live: readonly LiveStep[]
}

/** Runs of flows. */
export interface Executions {
  /** Puts an execution into the queue, for whichever worker is free. Answers once it is on disk. */
  enqueue(what: WhatToRun): Promise<QueuedExecution>
  /**
   * Runs an execution in this process, at once. Resolves when it is on disk and has begun. Throws `too_many_executions` when the
   * account has as many as it may, and `no_local_slot` when this process runs as many directly as it may.
   */
  start(what: WhatToRun, worker: Worker): Promise<StartedExecution>
  read(id: string): Promise<ExecutionRecord | undefined>
  list(filter: ExecutionFilter): Promise<ExecutionPage>
  /** The newest of each flow, the newest first; of one account, or of all. */
  latestOf(
    flowIds: readonly string[],
    wish: { readonly accountId: string | undefined; readonly count: number },
  ): Promise<readonly LatestRun[]>
  follow(options: FollowOptions): AsyncGenerator<FollowedEvent, void>
  readonly cancel: Cancel
}

export interface ExecutionsOptions {
  readonly database: Database
  readonly starts: StartWriter
  readonly live: Live
  readonly cancel: Cancel
  readonly mostOf: (accountId: string) => Promise<number>
  /** Takes note of those who wait for an execution that runs here. */
  readonly waiting: Map<string, PromiseWithResolvers<ExecutionEnd>>
  readonly onParked: (accountId: string) => void
}

export function createExecutions(options: ExecutionsOptions): Executions {
  const { database, starts, live, cancel, mostOf, waiting, onParked } = options

  async function prepare(what: WhatToRun): Promise<NewExecution> {
    const { id = randomUUIDv7(), needsApproval = false, scheduleId, ...rest } = what
    return { ...rest, id, needsApproval, scheduleId, mostActive: await mostOf(what.accountId) }
  }

  return {
    async enqueue(what) {
      const execution = await prepare(what)
      const outcome = await starts.write(execution)
      if (outcome === 'parked' && !execution.needsApproval) onParked(execution.accountId)
      return { id: execution.id, parked: outcome === 'parked', known: outcome === 'known' }
    },

    async start(what, worker) {
      const execution = await prepare(what)
      const { id } = execution
      const startedAt = new Date()
      const waiter = Promise.withResolvers<ExecutionEnd>()
      waiter.promise.catch(() => {})
      waiting.set(id, waiter)
      try {
        await worker.adopt(executionQueue, {
          row: adoptedRow(execution, startedAt),
          key: id,
          add: async ({ workerId }) => {
            const outcome = await starts.write({ ...execution, lease: { workerId, startedAt } })
            if (outcome === 'refused') {
              throw engineFailure('too_many_executions', { details: { limit: execution.mostActive } })
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
      return { ...stored, live: stored.status === 'running' ? stepsUnderWay(stored, live.stepsOf(id)) : [] }
    },

    list: (filter) => listExecutions(database, filter),
    latestOf: (flowIds, wish) => readLatestRuns(database, flowIds, wish),
    follow: (what) => followExecution({ database, live }, what),
    cancel,
  }
}

function nameOf({ item, stepId }: Pick<LiveStep, 'item' | 'stepId'>): string {
  return `${item} ${stepId}`
}

/** Steps that began and have no outcome yet; of those that were heard of it is also known how far they are. */
function stepsUnderWay({ events, outcomes }: StoredExecution, heard: readonly LiveStep[]): LiveStep[] {
  const begun = events.flatMap(({ type, at, data: { step_id: stepId, item = 0 } }) =>
    type === 'step_started' && typeof stepId === 'string' && typeof item === 'number'
      ? [{ stepId, item, startedAt: at, phase: null, text: '' }]
      : [],
  )
  const steps = new Map<string, LiveStep>(begun.map((step) => [nameOf(step), step]))
  for (const step of heard) {
    steps.set(nameOf(step), { ...step, startedAt: steps.get(nameOf(step))?.startedAt ?? step.startedAt })
  }
  for (const outcome of outcomes) steps.delete(nameOf(outcome))
  return [...steps.values()]
}

function adoptedRow(
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
    adopted: true,
  }
}
