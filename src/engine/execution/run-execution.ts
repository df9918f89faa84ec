import { defineFailures } from '#kernel/errors'
import { startTimer } from '#kernel/timers'
import { workFailureTable } from '#kernel/work'
import type { Budget } from '#models'
import { callsModels, isPure, type Step } from '../definition/step-types.ts'
import { StepFailure } from '../steps/step-failure.ts'
import type { StepExecutor, StepPhase, StepRun } from '../steps/step-run.ts'
import type {
  Commit,
  ExecutionEnd,
  ExecutionEvent,
  Journal,
  LeaseEnd,
  StepOutcome,
  StoredError,
} from '../store/commit.ts'
import { createExecutionWaits, type WaitsStore } from '../waits/execution-waits.ts'
import { createBatchItems, readySteps } from './batch-items.ts'
import { createExecutionStats, type StoredOutcomes } from './execution-stats.ts'
import { readsStartTime } from './expression-times.ts'
import type {
  CancelRequest,
  LeasedExecution,
  PendingCommit,
  StepRef,
  WrittenCommit,
} from './leased-execution.ts'
import { createLedger } from './ledger.ts'
import type { Probation } from './probation.ts'
import { createMemoryBudget, keptOutputs, rulesOf } from './rules.ts'
import { createRunningSteps, errorOf, type FinishedStep } from './running-steps.ts'
import { serialiseCommits } from './serialise-commits.ts'
import type { SubFlows } from './sub-flows.ts'
import { createTotals, type TotalLimits } from './totals.ts'

const workFailure = defineFailures(workFailureTable)

/** Pure steps run without a commit in between, until they have this many outcomes or have computed this long. */
const maxUncommitted = { outcomes: 32, cpuMs: 10 } as const

/** Delay before the start of a step is committed. Most steps that end sooner are committed once, with their end. */
const startCommitDelayMs = 20

/** Created once: creating an Error takes longer than running a pure step. */
const executionEnded = new Error('the execution has ended')

export interface RunOptions {
  readonly execution: LeasedExecution
  readonly runStep: StepExecutor<Step>
  /** Evaluates the expressions of steps. */
  readonly evaluator?: StepRun['evaluator']
  /** Resolves once the commit is on disk. `written` is false when the worker no longer has the lease. */
  readonly write: (commit: PendingCommit) => Promise<WrittenCommit>
  readonly subFlows: SubFlows
  /** The outcomes of earlier leases, also those that `execution.outcomes` leaves out. */
  readonly stored: StoredOutcomes
  /** Default: those of the engine. */
  readonly totalLimits?: TotalLimits | undefined
  readonly waits: WaitsStore
  /** Called with a function that reads the closed waits of the execution. */
  readonly onWaits: (refresh: () => Promise<void>) => void
  /** Closed waits could not be read; they are read again. */
  readonly onWaitsError: (error: unknown) => void
  readonly account: Budget
  /** Called whenever the main loop goes on with the execution (`Claim.markBusy`). */
  readonly onBusy: () => void
  /** Of an execution that may have crashed its worker. It computes already. */
  readonly probation?: Probation | undefined
  /** Called for steps that are not pure. */
  readonly onStepStarted: (step: StepRef) => void
  readonly onToken: (step: StepRef, text: string) => void
  readonly onPhase: (step: StepRef, phase: StepPhase) => void
  /** Aborts when the lease was lost, or the process stops. */
  readonly signal: AbortSignal
  /** Aborts with a CancelRequest when the execution is cancelled. */
  readonly cancelled: AbortSignal
  /** Stores the shared memory for the next execution. Returns a warning when it could not be stored. */
  readonly keepMemory: (memory: Readonly<Record<string, unknown>>) => Promise<string | undefined>
  readonly now?: () => Date
}

/**
 * Runs an execution from its last commit to its end. Ready steps run in parallel; the outcomes of steps that ended are committed
 * together. The commits are the only state: a worker that recovers the execution reads them and continues.
 *
 * | a step       | starts when the steps before it | because                                                                              |
 * |--------------|---------------------------------|--------------------------------------------------------------------------------------|
 * | with effects | are committed                   | a crash must not make the step run again with different inputs                       |
 * | pure         | have ended                      | its outcome was not observed: after a crash it is computed again with the same result |
 *
 * Resolves with the committed end, or when the execution was suspended because all its running steps wait. Rejects when the worker lost the lease or the process stops.
 */
export async function runExecution(options: RunOptions): Promise<LeaseEnd> {
  const {
    execution,
    runStep,
    write,
    account,
    onBusy,
    probation,
    onStepStarted,
    onToken,
    onPhase,
    cancelled,
  } = options
  onBusy()
  const { id, definition, graph, input } = execution
  const now = createClock(options.now, execution.resumedAt ?? execution.startedAt ?? execution.createdAt)
  const startedAt = execution.startedAt ?? now()
  const timedFrom = execution.timedFrom ?? startedAt
  const rules = rulesOf(definition, input, timedFrom)
  const memoryBudget = createMemoryBudget(rules.maxBytes)
  const journal = createJournal({ lastSeq: execution.lastSeq, now })
  const isRepeating = graph.nested.size > 0 || input.batch !== undefined
  const totals = createTotals({ stored: execution.totals, limits: options.totalLimits, isRepeating })
  const batchItems = createBatchItems({
    flow: { id: execution.flowId, version: execution.flowVersion },
    graph,
    input,
    rules,
    memoryBudget,
    journal,
    totals,
    outcomes: execution.outcomes,
    unread: execution.unread,
    ledger: () => ledger,
    subFlows: options.subFlows,
    onRestored: record,
  })
  const stats = createExecutionStats(execution, options)
  const stopping = new AbortController()
  const { signal } = stopping
  // Without AbortSignal.any, which shows in profiles of executions of pure steps.
  const forwardAbort = () => stopping.abort(options.signal.reason)
  options.signal.addEventListener('abort', forwardAbort, { once: true })
  /** The first commit sets the stored status to `running`. */
  let { isRunning } = execution
  let isSuspended = false
  /** Outcomes since the last commit. */
  const uncommitted: StepOutcome[] = []
  let commitTimer: NodeJS.Timeout | undefined

  const ledger = createLedger({
    rules,
    spentBefore: execution.spent,
    account,
    persist: () => commit(),
    onAlert: ({ threshold, spent }) =>
      journal.add('cost_alert', { threshold: threshold / 1e6, spent: spent / 1e6 }),
    onOverBudget: ({ budget, wanted }) =>
      journal.add('over_budget', { budget: budget / 1e6, could_cost: wanted / 1e6 }),
  })

  using waits = createExecutionWaits({
    executionId: id,
    isBatch: input.batch !== undefined,
    stored: execution.waits,
    store: options.waits,
    journal,
    totals,
    now,
    onOpened: () => steps.poke(),
    onError: options.onWaitsError,
  })
  options.onWaits(() => waits.refresh())

  const commit = serialiseCommits<Pick<Commit, 'end' | 'suspension'>>(async (last) => {
    const { workerId, fence } = execution
    const begins = !isRunning
    isRunning = true
    clearTimeout(commitTimer)
    commitTimer = undefined
    const events = journal.take()
    const outcomes = uncommitted.splice(0)
    const { written, suspended, bytes } = await write({
      executionId: id,
      workerId,
      fence,
      begins,
      startedAt,
      isBatch: isRepeating,
      steps: outcomes,
      events,
      spent: ledger.spent(),
      reserved: ledger.reserved(),
      ...(waits.hasNew() && { waits: waits.takeNew() }),
      totals: last === undefined ? totals.takeGrown() : totals.takeLast(),
      ...last,
    })
    isSuspended = suspended
    // A refused suspension stores no events.
    if (last?.suspension !== undefined && !suspended) journal.giveBack(events.map(notSuspended))
    if (!written) throw workFailure('fenced', { details: { queue: 'executions', row: id } })
    if (outcomes.length > 0) await probation?.advanced()
    const tooMuch = totals.addBytes(bytes)
    if (tooMuch !== undefined) stopping.abort(tooMuch)
  })

  const steps = createRunningSteps({
    execution,
    rules,
    journal,
    budget: ledger.callBudget,
    runStep,
    evaluator: options.evaluator,
    subFlows: options.subFlows,
    startedAt,
    onToken,
    onPhase,
    waits,
    stopping,
    now,
  })

  /** Schedules a commit without waiting for it. The execution stops when the commit fails. */
  function commitSoon(): void {
    commitTimer ??= setTimeout(() => {
      commit().catch((error: unknown) => stopping.abort(error))
    }, startCommitDelayMs)
  }

  /** Starts the ready steps that are eligible. Returns whether other steps are ready. */
  function startReady(isEligible: (step: Step) => boolean): boolean {
    onBusy()
    let othersReady = false
    for (const { scope, step } of readySteps(batchItems.open())) {
      if (callsModels(step) && steps.aiCalls() >= rules.maxAiCalls) continue
      if (!isEligible(step)) {
        othersReady = true
        continue
      }
      if (!isPure(step)) {
        onStepStarted({ item: scope.item, stepId: `${scope.path}${step.id}` })
        commitSoon()
      }
      steps.start(scope, step)
    }
    return othersReady
  }

  function take(finished: FinishedStep): StoredError | undefined {
    const { outcomes, fatal } = batchItems.take(finished)
    record(outcomes)
    return fatal
  }

  /** Ends containers with results of earlier leases that were not read. Returns the error that ends the execution. */
  async function readResults(): Promise<StoredError | undefined> {
    for (;;) {
      const [container] = batchItems.lacking()
      if (container === undefined) return undefined
      const ends = await options.stored.readEnds(container)
      onBusy()
      const { outcomes, fatal } = batchItems.takeResults(container, ends)
      record(outcomes)
      if (fatal !== undefined) return fatal
    }
  }

  /** Starts all ready steps, after restored containers have ended that only lacked results. */
  async function startAll(): Promise<StoredError | undefined> {
    startReady(() => true)
    while (batchItems.lacking().length > 0) {
      const fatal = await readResults()
      if (fatal !== undefined) return fatal
      startReady(() => true)
    }
    return undefined
  }

  function record(outcomes: readonly StepOutcome[]): void {
    for (const outcome of outcomes) stats.add(outcome)
    uncommitted.push(...outcomes)
  }

  /** Waits for the next finished steps, then runs the pure steps that become ready. Returns the error that ends the execution. */
  async function advance(): Promise<StoredError | undefined> {
    let cpuMs = 0
    let othersReady: boolean
    do {
      if (!steps.areComputing()) await probation?.rest()
      const finished = await steps.next()
      await probation?.compute()
      onBusy()
      let fatal: StoredError | undefined
      for (const step of finished) {
        const failure = take(step)
        fatal ??= failure
        if (fatal === undefined && batchItems.lacking().length > 0) fatal = await readResults()
      }
      if (fatal !== undefined) return fatal
      for (const step of finished) cpuMs += step.cpuMs
      othersReady = startReady(isPure)
      // A pure step may still be slow, for example on a large input.
      if (steps.areComputing()) commitSoon()
    } while (
      steps.areComputing() &&
      !othersReady &&
      uncommitted.length < maxUncommitted.outcomes &&
      cpuMs < maxUncommitted.cpuMs
    )
    return undefined
  }

  /** Stores new waits, and suspends the execution when all its running steps wait for long. */
  async function suspend(): Promise<boolean> {
    // Events beside an outcome are stored with it, also when the suspension is refused.
    while (waits.hasNew() || uncommitted.length > 0) await commit()
    signal.throwIfAborted()
    const suspension = waits.suspension(steps.count())
    if (suspension === undefined) return false
    const at = now()
    journal.add('execution_suspended', { execution_id: id, waits: waits.describe() })
    await commit({ suspension: { ...suspension, at } })
    // A wait was closed in the meantime.
    if (!isSuspended) await waits.refresh()
    return isSuspended
  }

  async function runToEnd(): Promise<LeaseEnd> {
    if (execution.lastSeq === 0 || execution.startedAt === null)
      journal.add('execution_started', { execution_id: id, flow_id: definition.id })
    if (execution.suspendedAt !== null) journal.add('execution_resumed', { execution_id: id })
    // A first step with effects that reads `now` must read the same time after a crash.
    if (!isRunning && readsStartTime(graph)) await commit()
    let fatal = await startAll()
    for (let end = batchItems.end(); end === undefined && fatal === undefined; end = batchItems.end()) {
      if (waits.areOpen() && (await suspend())) return { status: 'suspended', error: null }
      fatal = await advance()
      const ending = fatal === undefined ? batchItems.end() : ({ status: 'failed', error: fatal } as const)
      if (ending !== undefined) return await finish(ending)
      await commit()
      signal.throwIfAborted()
      fatal = await startAll()
    }
    if (fatal !== undefined) return await finish({ status: 'failed', error: fatal })
    return await finish(batchItems.end() ?? { status: 'completed', error: null })
  }

  async function finish(ending: ExecutionEnd): Promise<ExecutionEnd> {
    // Running calls settle their reservations first, so that the final commit holds the final cost.
    await steps.stop(executionEnded)
    if (ending.status === 'completed' && rules.keepsMemory) await keepMemory()
    await stats.addEarlier()
    const finishedAt = now()
    const leaseMs = finishedAt.getTime() - (execution.resumedAt ?? startedAt).getTime()
    const durationMs = execution.activeMs + leaseMs
    const facts = stats.close(startedAt, {
      status: ending.status,
      errorCode: ending.error?.code ?? null,
      finishedAt,
      durationMs,
      spent: ledger.spent(),
      peakBytes: memoryBudget.peakBytes(),
    })
    journal.add(`execution_${ending.status}`, {
      execution_id: id,
      status: ending.status,
      duration: durationMs / 1000,
      total_cost: ledger.spent() / 1e6,
      unpriced: facts.unpriced,
      ...(ending.error !== null && { error: ending.error }),
      ...(ending.status === 'cancelled' && { reason: (cancelled.reason as CancelRequest).reason }),
    })
    const kept = keptOutputs({ rules, graph, status: ending.status })
    await commit({ end: { ...ending, finishedAt, facts, counted: rules.counts, keptOutputs: kept } })
    return ending
  }

  /** Runs before the final commit, so that the next execution finds the memory. */
  async function keepMemory(): Promise<void> {
    const memory = batchItems.memory()
    const problem = memory === undefined ? undefined : await options.keepMemory(memory)
    if (problem !== undefined) journal.add('log', { level: 'warning', message: problem, details: {} })
  }

  const timedOut: ExecutionEnd = {
    status: 'failed',
    error: {
      code: 'EXECUTION_TIMEOUT',
      message: `The execution exceeded its timeout of ${rules.maxMs / 1000} seconds.`,
      details: { timeout_duration: rules.maxMs / 1000 },
    },
  }
  const cancelledEnd: ExecutionEnd = { status: 'cancelled', error: null }
  const timer = startTimer(
    () => stopping.abort(timedOut),
    Math.max(0, timedFrom.getTime() + rules.maxMs - now().getTime()),
  )
  const cancel = () => stopping.abort(cancelledEnd)
  cancelled.addEventListener('abort', cancel, { once: true })
  if (cancelled.aborted) cancel()
  if (options.signal.aborted) forwardAbort()
  try {
    signal.throwIfAborted()
    return await runToEnd()
  } catch (error) {
    if (options.signal.aborted) throw error
    if (error === timedOut || error === cancelledEnd) return await finish(error as ExecutionEnd)
    // The input alone exceeds the memory budget, or the commits together their limit.
    if (error instanceof StepFailure) return await finish({ status: 'failed', error: errorOf(error) })
    throw error
  } finally {
    timer[Symbol.dispose]()
    clearTimeout(commitTimer)
    cancelled.removeEventListener('abort', cancel)
    options.signal.removeEventListener('abort', forwardAbort)
    await steps.stop(executionEnded)
  }
}

function createJournal({ lastSeq, now }: { readonly lastSeq: number; readonly now: () => Date }): Journal {
  let seq = lastSeq
  let buffered: ExecutionEvent[] = []
  return {
    add(type, data, at = now()) {
      seq += 1
      buffered.push({ seq, at, type, data })
    },
    take() {
      const taken = buffered
      buffered = []
      return taken
    },
    giveBack(events) {
      buffered = [...events, ...buffered]
    },
  }
}

/** Takes the place of the event of a refused suspension: later events have their numbers already, and a journal has no gaps. */
function notSuspended(event: ExecutionEvent): ExecutionEvent {
  if (event.type !== 'execution_suspended') return event
  const message = 'The execution was not suspended, because a wait was closed.'
  return { ...event, type: 'log', data: { level: 'debug', message, details: {} } }
}

/**
 * A clock that never goes back, nor before the stored times of the execution. The times of steps stay within their execution when the
 * system clock is adjusted, or another machine recovers the execution.
 */
function createClock(read: () => Date = () => new Date(), notBefore: Date): () => Date {
  let last = notBefore
  return () => {
    const at = read()
    if (at > last) last = at
    return last
  }
}
