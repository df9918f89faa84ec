import { type Database, retryConflicts, retryWhenUnavailable } from '#kernel/database'
import { Failure } from '#kernel/errors'
import { type Claim, countHangs, createCrashMarks, databaseNow } from '#kernel/work'
import type { Budget } from '#models'
import type { FlowDefinition } from '../definition/flow.ts'
import type { Step } from '../definition/step-types.ts'
import type { OnFinished } from '../execution-metrics.ts'
import type { FlowVersions } from '../flows/read-flows.ts'
import type { Live } from '../live/live.ts'
import type { StepExecutor, StepRun } from '../steps/step-run.ts'
import type { ExecutionEnd, LeaseEnd } from '../store/commit.ts'
import type { CommitWriter } from '../store/commit-writer.ts'
import { type EndedRow, endExecution } from '../store/end-execution.ts'
import type { LargeOutputs } from '../store/large-outputs.ts'
import type { Memories } from '../store/memories.ts'
import { type ExecutionRow, executionQueue } from '../store/queue.ts'
import { loadExecution } from '../store/read-execution.ts'
import { readEnds } from '../store/read-open-outcomes.ts'
import { createStoredOutcomes } from '../store/stored-outcomes.ts'
import type { WaitsStore } from '../waits/execution-waits.ts'
import type { NewWait } from '../waits/wait.ts'
import type { PendingCommit } from './leased-execution.ts'
import { createSuspects, type Suspect } from './probation.ts'
import { runExecution } from './run-execution.ts'
import { createSubFlows, type SubFlowsOptions } from './sub-flows.ts'
import type { TotalLimits } from './totals.ts'

export interface ExecutionHandlerOptions {
  readonly database: Database
  readonly runStep: StepExecutor<Step>
  /** Evaluates the expressions of steps. */
  readonly evaluator?: StepRun['evaluator']
  readonly accountBudgetOf: (accountId: string) => Promise<Budget>
  readonly commits: CommitWriter
  readonly outputs: Pick<LargeOutputs, 'require'>
  readonly versions: FlowVersions
  /** How steps find the flows that they run. */
  readonly subFlows: Omit<SubFlowsOptions, 'versions'>
  readonly memories: Memories
  readonly totalLimits?: TotalLimits | undefined
  readonly live: Live
  readonly onEnded: (execution: EndedRow) => void
  readonly onFinished: OnFinished
  /** Whether an execution has subscribers. Called for each commit with events, because subscribers come and go. */
  readonly hasSubscribers: (execution: Pick<ExecutionRow, 'id' | 'account_id' | 'input'>) => Promise<boolean>
  /** Called after each commit that added outbox entries. */
  readonly onOutboxEntries: () => void
  readonly waits: WaitsStore
  /** Called when closed waits of an execution could not be read. */
  readonly onWaitsError: (error: unknown) => void
}

export interface ExecutionHandler {
  /** Runs a claimed execution until it ends or only waits. Throws when the lease is lost or the process stops. */
  handle(claim: Claim<ExecutionRow>): Promise<LeaseEnd>
  /** Reads cancel requests from the database for one execution that runs here, or for all of them. */
  checkCancelled(id?: string): Promise<void>
  /** Reads the closed waits of one execution that runs here, or of all of them. */
  refreshWaits(id?: string): Promise<void>
}

/** How long a commit is retried while the database is unavailable. After that, another worker has claimed the execution. */
const commitWithinMs = 30_000

/** An execution fails that was leased at this many deaths of workers, although it was not the one they computed (`Suspects`). */
const maxClaims = 25

/** A suspect fails at which this many workers crashed while they computed it: with the crash that made it a suspect, the third one. */
const maxCrashes = 2

const crashedMessage = `The execution was given up: its worker crashed ${maxCrashes + 1} times, the last ${maxCrashes} times while the steps of this execution were computed, for example because they need more memory than the worker has. Split the flow or its data into smaller parts.`

/** An execution at which the main loop of a worker hung this often fails. */
const maxHangs = 2

const hungMessage = `The execution was given up: while its steps were computed, its worker stopped responding ${maxHangs} times. Split the flow or its data into smaller parts.`

/** An execution that runs here. */
interface Lease {
  readonly cancelled: AbortController
  /** Reads its closed waits. */
  refreshWaits: () => Promise<void>
}

export function createExecutionHandler(options: ExecutionHandlerOptions): ExecutionHandler {
  const { database, runStep, accountBudgetOf, commits, versions, memories, live, onEnded, onOutboxEntries } =
    options
  /** Executions that run here. One may run twice for a moment: the lost lease winds down while the new one starts. */
  const running = new Map<string, Set<Lease>>()

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

  async function giveUp({ row }: Claim<ExecutionRow>, message: string): Promise<ExecutionEnd> {
    const end = { status: 'failed', error: { code: 'INTERNAL_ERROR', message } } as const
    const ended = await retryConflicts(() =>
      database.transaction((transaction) => endExecution(transaction, versions, row.id, end)),
    )
    if (ended !== undefined) options.onFinished(ended)
    return end
  }

  /** Events may have been received before the waits for them. */
  async function matchSignals(waits: readonly Pick<NewWait, 'id' | 'kind'>[]): Promise<void> {
    const ids = waits.filter(({ kind }) => kind === 'event').map(({ id }) => id)
    if (ids.length === 0) return
    await retryWhenUnavailable(() => options.waits.matchSignals(ids), { deadlineMs: commitWithinMs })
  }

  /** Statistics and marks must not fail an execution because the database is restarted. */
  const readAgain: Database['query'] = (text, values) =>
    retryWhenUnavailable(() => database.query(text, values), { deadlineMs: commitWithinMs })

  const suspects = createSuspects(createCrashMarks({ query: readAgain }, executionQueue))

  async function writeFor(row: ExecutionRow, commit: PendingCommit) {
    const notifies = commit.waits?.some((wait) => wait.notifies === true) ?? false
    const hasSubscribers = commit.events.length > 0 && (notifies || (await options.hasSubscribers(row)))
    return { ...(await commits.write({ ...commit, hasSubscribers })), hasSubscribers }
  }

  /** An execution that was leased when an earlier worker died, or returned it to the queue, is a suspect. */
  async function runOrSuspect(claim: Claim<ExecutionRow>, lease: Lease): Promise<LeaseEnd> {
    if (claim.attempt === 1) return await runUnlessMissing(claim, lease, undefined)
    const suspect = await suspects.begin(claim)
    let isOver = false
    try {
      const end = await runUnlessMissing(claim, lease, suspect)
      isOver = true
      return end
    } finally {
      // While the database is away, a mark may stay. It is removed when this worker stops, or counts as one crash.
      await suspect.leave({ isOver }).catch(() => {})
    }
  }

  /** An output that is gone does not come back: the execution fails, and says which. */
  async function runUnlessMissing(...[claim, lease, suspect]: Parameters<typeof run>): Promise<LeaseEnd> {
    try {
      return await run(claim, lease, suspect)
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'output_missing') throw error
      return await giveUp(claim, error.message)
    }
  }

  async function run(
    claim: Claim<ExecutionRow>,
    lease: Lease,
    suspect: Suspect | undefined,
  ): Promise<LeaseEnd> {
    const { cancelled } = lease
    const { id, flow_id: flowId, flow_version: version, account_id: accountId, cancel } = claim.row
    if (claim.attempt > maxClaims)
      return await giveUp(claim, `The execution was given up after its worker crashed ${maxClaims} times.`)
    if (claim.attempt > 1 && (await countHangs(database, executionQueue, id)) >= maxHangs)
      return await giveUp(claim, hungMessage)
    if (suspect !== undefined && suspect.crashes >= maxCrashes) return await giveUp(claim, crashedMessage)
    if (cancel !== null) cancelled.abort(cancel)
    const definition = await versions.read(flowId, version)
    const flow = { definition, graph: versions.graphOf(definition) }
    const execution = await loadExecution(
      database,
      await withMemory(claim, definition),
      flow,
      options.outputs,
    )
    const subFlows = createSubFlows({ versions, ...options.subFlows })
    await subFlows.load(execution.outcomes)
    await matchSignals(execution.waits.waits.filter(({ state }) => state === 'open'))
    return await runExecution({
      execution,
      runStep,
      evaluator: options.evaluator,
      subFlows,
      stored: {
        ...createStoredOutcomes({ query: readAgain }, id),
        readEnds: async (container) =>
          await options.outputs.require(await readEnds({ query: readAgain }, id, container), claim.signal),
      },
      totalLimits: options.totalLimits,
      async write(commit) {
        if (commit.steps.length > 0) await live.flushTokens()
        const { hasSubscribers, ...outcome } = await retryWhenUnavailable(() => writeFor(claim.row, commit), {
          deadlineMs: commitWithinMs,
        })
        if (outcome.cancel !== null) cancelled.abort(outcome.cancel)
        if (commit.events.length > 0) live.advanced(id, commit.steps)
        if (hasSubscribers) onOutboxEntries()
        if (outcome.written && commit.end !== undefined) {
          const { status, facts } = commit.end
          options.onFinished({ status, durationMs: facts.duration_ms })
        }
        if (outcome.written) await matchSignals(commit.waits ?? [])
        return outcome
      },
      waits: options.waits,
      onWaits(refresh) {
        lease.refreshWaits = refresh
      },
      onWaitsError: options.onWaitsError,
      account: await accountBudgetOf(accountId),
      onBusy: claim.markBusy,
      probation: suspect,
      onStepStarted: (step) => live.stepStarted(id, step),
      onToken: (step, text) => live.token(id, step, text),
      onPhase: (step, phase) => live.phase(id, step, phase),
      signal: claim.signal,
      cancelled: cancelled.signal,
      keepMemory: (memory) => memories.keep(accountId, flowId, memory),
      // A wait that opens here may be closed by another replica.
      now: () => database.clock.now(),
    })
  }

  return {
    async handle(claim) {
      const { id } = claim.row
      const lease: Lease = { cancelled: new AbortController(), refreshWaits: async () => {} }
      const leases = running.get(id) ?? new Set()
      running.set(id, leases.add(lease))
      try {
        const end = await runOrSuspect(claim, lease)
        onEnded(claim.row)
        return end
      } finally {
        leases.delete(lease)
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
      for (const { id, cancel } of rows)
        for (const { cancelled } of running.get(id) ?? []) cancelled.abort(cancel)
    },

    async refreshWaits(only) {
      const leases =
        only === undefined ? [...running.values()].flatMap((some) => [...some]) : (running.get(only) ?? [])
      for (const { refreshWaits } of leases) await refreshWaits()
    },
  }
}
