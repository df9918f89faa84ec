import { type Database, retryWhenUnavailable } from '#kernel/database'
import { type Claim, databaseNow } from '#kernel/work'
import type { Budget } from '#models'
import type { FlowDefinition } from '../definition/flow.ts'
import type { Step } from '../definition/step-types.ts'
import type { FlowVersions } from '../flows/read-flows.ts'
import type { Live } from '../live/live.ts'
import type { StepExecutor, StepRun } from '../steps/step-run.ts'
import type { ExecutionEnd } from '../store/commit.ts'
import type { CommitWriter } from '../store/commit-writer.ts'
import { endExecution } from '../store/end-execution.ts'
import type { Memories } from '../store/memories.ts'
import { type ExecutionRow, executionQueue } from '../store/queue.ts'
import { loadExecution } from '../store/read-execution.ts'
import type { PendingCommit } from './leased-execution.ts'
import { runExecution } from './run-execution.ts'

export interface ExecutionHandlerOptions {
  readonly database: Database
  readonly runStep: StepExecutor<Step>
  /** Evaluates the expressions of steps. */
  readonly evaluator?: StepRun['evaluator']
  readonly accountBudgetOf: (accountId: string) => Promise<Budget>
  readonly commits: CommitWriter
  readonly versions: FlowVersions
  readonly memories: Memories
  readonly live: Live
  readonly onEnded: (accountId: string) => void
  /** Whether an execution has subscribers. Called for each commit with events, because subscribers come and go. */
  readonly hasSubscribers: (execution: Pick<ExecutionRow, 'id' | 'account_id' | 'input'>) => Promise<boolean>
  /** Called after each commit that added outbox entries. */
  readonly onOutboxEntries: () => void
}

export interface ExecutionHandler {
  /** Runs a claimed execution to its end. Throws when the lease is lost or the process stops. */
  handle(claim: Claim<ExecutionRow>): Promise<ExecutionEnd>
  /** Reads cancel requests from the database for one execution that runs here, or for all of them. */
  checkCancelled(id?: string): Promise<void>
}

/** How long a commit is retried while the database is unavailable. After that, another worker has claimed the execution. */
const commitWithinMs = 30_000

/** An execution that crashed this many workers fails. */
const maxClaims = 25

export function createExecutionHandler(options: ExecutionHandlerOptions): ExecutionHandler {
  const { database, runStep, accountBudgetOf, commits, versions, memories, live, onEnded, onOutboxEntries } =
    options
  /** Executions that run here. One may run twice for a moment: the lost lease winds down while the new one starts. */
  const running = new Map<string, Set<AbortController>>()

  /** The persistent memory of a flow is read once, when an execution starts, and is part of its input from then on. */
  async function withMemory(
    claim: Claim<ExecutionRow>,
    { id: flowId, global_configuration: global }: FlowDefinition,
  ): Promise<Claim<ExecutionRow>> {
    const { row } = claim
    const hasStarted = row.started_at !== null && row.isLocal !== true
    if (global?.shared_memory_persistent !== true || hasStarted || row.forked_from !== null) return claim
    const kept = await memories.read(row.account_id, flowId)
    const input = { ...row.input, memory: { ...kept?.memory, ...row.input.memory } }
    await executionQueue.update(database, claim, { input, started_at: databaseNow })
    return { ...claim, row: { ...row, input } }
  }

  async function failAfterCrashes({ row }: Claim<ExecutionRow>): Promise<ExecutionEnd> {
    const end = {
      status: 'failed',
      error: {
        code: 'INTERNAL_ERROR',
        message: `The execution was given up after its worker crashed ${maxClaims} times.`,
      },
    } as const
    await database.transaction((transaction) => endExecution(transaction, versions, row.id, end))
    return end
  }

  async function writeFor(row: ExecutionRow, commit: PendingCommit) {
    const hasSubscribers = commit.events.length > 0 && (await options.hasSubscribers(row))
    return { ...(await commits.write({ ...commit, hasSubscribers })), hasSubscribers }
  }

  async function run(claim: Claim<ExecutionRow>, cancelled: AbortController): Promise<ExecutionEnd> {
    const { id, flow_id: flowId, flow_version: version, account_id: accountId, cancel } = claim.row
    if (claim.attempt > maxClaims) return await failAfterCrashes(claim)
    if (cancel !== null) cancelled.abort(cancel)
    const definition = await versions.read(flowId, version)
    const execution = await loadExecution(database, await withMemory(claim, definition), {
      definition,
      graph: versions.graphOf(definition),
    })
    return await runExecution({
      execution,
      runStep,
      evaluator: options.evaluator,
      async write(commit) {
        if (commit.steps.length > 0) await live.flushTokens()
        const { hasSubscribers, ...outcome } = await retryWhenUnavailable(() => writeFor(claim.row, commit), {
          deadlineMs: commitWithinMs,
        })
        if (outcome.cancel !== null) cancelled.abort(outcome.cancel)
        if (commit.events.length > 0) live.advanced(id, commit.steps)
        if (hasSubscribers) onOutboxEntries()
        return outcome.written
      },
      account: await accountBudgetOf(accountId),
      onStepStarted: (step) => live.stepStarted(id, step),
      onToken: (step, text) => live.token(id, step, text),
      onPhase: (step, phase) => live.phase(id, step, phase),
      signal: claim.signal,
      cancelled: cancelled.signal,
      keepMemory: (memory) => memories.keep(accountId, flowId, memory),
    })
  }

  return {
    async handle(claim) {
      const { id, account_id: accountId } = claim.row
      const cancelled = new AbortController()
      const leases = running.get(id) ?? new Set()
      running.set(id, leases.add(cancelled))
      try {
        const end = await run(claim, cancelled)
        onEnded(accountId)
        return end
      } finally {
        leases.delete(cancelled)
        if (leases.size === 0) running.delete(id)
        live.left(id)
      }
    },

    async checkCancelled(only) {
      const ids = only === undefined ? [...running.keys()] : running.has(only) ? [only] : []
      if (ids.length === 0) return
      const rows = await database.query<Pick<ExecutionRow, 'id' | 'cancel'>>(
        'select id, cancel from engine_executions where id = any($1::uuid[]) and cancel is not null',
        [ids],
      )
      for (const { id, cancel } of rows) for (const lease of running.get(id) ?? []) lease.abort(cancel)
    },
  }
}
