import { failuresOf } from '#kernel/errors'
import { workFailureTable } from '#kernel/work'
import type { Purse } from '#models'
import { asksModels, type Step } from '../definition/step-types.ts'
import type { Graph } from '../graph/graph.ts'
import { StepFailure } from '../steps/step-failure.ts'
import type { StepExecutor, StepPhase, StepRun } from '../steps/step-run.ts'
import type { ExecutionEnd, StepOutcome } from '../store/commit.ts'
import { attemptStep } from './attempt-step.ts'
import { createCommitLine } from './commit-line.ts'
import { createTally, type FactsAbout } from './facts.ts'
import type { CancelRequest, HeldExecution, UnaddressedCommit, WatchedStep } from './held-execution.ts'
import { createJournal } from './journal.ts'
import { createLanes, type Lane, readySteps } from './lanes.ts'
import { createLedger } from './ledger.ts'
import { errorOf, type FinishedStep } from './progress.ts'
import { createRoom } from './room.ts'
import { rulesOf } from './rules.ts'

const workFailure = failuresOf(workFailureTable)

/** Made once: to make an error takes longer than a light step. */
const executionIsOver = new Error('the execution is over')

export interface RunOptions {
  readonly execution: HeldExecution
  readonly runStep: StepExecutor<Step>
  /** True once it is on disk; false when the execution is no longer ours. */
  readonly write: (commit: UnaddressedCommit) => Promise<boolean>
  readonly account: Purse
  /** A step that may take long has begun. */
  readonly onBegun: (step: WatchedStep) => void
  readonly onToken: (step: WatchedStep, text: string) => void
  readonly onPhase: (step: WatchedStep, phase: StepPhase) => void
  /** Aborts when the execution was lost, or the process stops. */
  readonly signal: AbortSignal
  /** Aborts with a CancelRequest when the execution is to end. */
  readonly cancelled: AbortSignal
  /** Keeps the memory for the next execution; answers what went wrong with it, if anything did. */
  readonly keepMemory: (memory: Readonly<Record<string, unknown>>) => Promise<string | undefined>
  /** Removes what other steps made than these. */
  readonly forgetOutputs: (kept: readonly string[]) => Promise<void>
  readonly now?: () => Date
}

/**
 * Runs an execution from where it stands to its end. Steps that may begin run side by side; what those that ended made, spent and
 * decided is committed together, and only then begins what comes after. Nothing is kept but in these commits: whoever takes an
 * execution up again reads them and goes on.
 *
 * Resolves with the end that was committed, and rejects when the execution is no longer ours or the process stops.
 */
export async function runExecution(options: RunOptions): Promise<ExecutionEnd> {
  const { execution, runStep, write, account, onBegun, onToken, onPhase, cancelled } = options
  const { now = () => new Date() } = options
  const { id, definition, graph, input } = execution
  const startedAt = execution.startedAt ?? now()
  const timedFrom = execution.timedFrom ?? startedAt
  const rules = rulesOf(definition, input, timedFrom)
  const room = createRoom(rules.mostBytes)
  const journal = createJournal({ lastSeq: execution.lastSeq, now })
  const lanes = createLanes({ definition, graph, input, rules, room, journal, outcomes: execution.outcomes })
  const tally = createTally(definition.steps)
  for (const outcome of execution.outcomes) tally.add(outcome)
  const stopping = new AbortController()
  const { signal } = stopping
  // By hand: AbortSignal.any for each execution shows in profiles of light steps.
  const passOn = () => stopping.abort(options.signal.reason)
  options.signal.addEventListener('abort', passOn, { once: true })
  const running = new Set<Promise<void>>()
  const arrived: FinishedStep[] = []
  /** Its first commit says that it is. */
  let { isUnderWay } = execution
  let aiCalls = 0
  let wake: (() => void) | undefined
  signal.addEventListener('abort', () => wake?.(), { once: true })

  const ledger = createLedger({
    rules,
    spentBefore: execution.spent,
    account,
    persist: () => commit([]),
    onAlert: ({ threshold, spent }) =>
      journal.add('cost_alert', { threshold: threshold / 1e6, spent: spent / 1e6 }),
    onOverBudget: ({ budget, wanted }) =>
      journal.add('over_budget', { budget: budget / 1e6, could_cost: wanted / 1e6 }),
  })

  const commit = createCommitLine(async ({ steps, end }) => {
    const { workerId, fence } = execution
    const begins = !isUnderWay
    isUnderWay = true
    const written = await write({
      executionId: id,
      workerId,
      fence,
      begins,
      isBatch: input.batch !== undefined,
      steps,
      events: journal.take(),
      spent: ledger.spent(),
      reserved: ledger.reserved(),
      end,
    })
    if (!written) throw workFailure('fenced', { details: { queue: 'executions', row: id } })
  })

  /** For what nobody has to wait for: should it not be written, the execution stops. */
  function commitMeanwhile(): void {
    commit([]).catch((error: unknown) => stopping.abort(error))
  }

  function begin({ item, progress, over }: Lane, step: Step): void {
    const begunAt = now()
    const begunMs = performance.now()
    const watched = { item, stepId: step.id }
    const about = input.batch === undefined ? {} : { item }
    const laneSignal = over === undefined ? signal : AbortSignal.any([signal, over.signal])
    progress.start(step)
    journal.add('step_started', { step_id: step.id, step_type: step.type, ...about })
    const setting: Omit<StepRun, 'attempt' | 'avoidedProviders'> = {
      step,
      item,
      items: input.batch?.items.length ?? 1,
      executionId: id,
      accountId: execution.accountId,
      scope: progress.scope,
      failedMakerOf: progress.failedMakerOf,
      rules,
      signal: laneSignal,
      purse: ledger.purse,
      onToken: (text) => onToken(watched, text),
      onPhase: (phase) => onPhase(watched, phase),
      log(level, message, details = {}) {
        if (level !== 'debug' || rules.logsDetails)
          journal.add('log', { level, message, step: step.id, details, ...about })
      },
    }
    const attempts = attemptStep({
      run: runStep,
      setting,
      onRetry({ attempt, failure: { code, message, provider }, pauseMs }) {
        journal.add('step_retrying', {
          step_id: step.id,
          attempt,
          code,
          message,
          ...(provider !== undefined && { provider }),
          pause: pauseMs / 1000,
          ...about,
        })
        // It does not look as if it waited in the queue while it waits for this.
        if (!isUnderWay) commitMeanwhile()
      },
    })
    // What a step does before it first waits is what it computes; steps that wait for nobody are over by then.
    const cpuMs = performance.now() - begunMs
    const done: Promise<void> = attempts
      .then((end) => void arrived.push({ step, item, cpuMs, begunAt, endedAt: now(), end }))
      // A step that throws anything but a failure of its own: its item is over, it was stopped, or it is a mistake of ours.
      .catch((error: unknown) => {
        if (over?.signal.aborted !== true) stopping.abort(error)
      })
      .finally(() => {
        running.delete(done)
        if (asksModels(step)) aiCalls -= 1
        wake?.()
      })
    running.add(done)
    if (asksModels(step)) aiCalls += 1
  }

  function beginReady(): void {
    let isSlow = false
    for (const { lane, step } of readySteps(lanes.open())) {
      if (asksModels(step) && aiCalls >= rules.mostAiCalls) continue
      // What may take long is told at once; what is over in a moment is told with its end.
      if (asksModels(step) || step.type === 'external_api') {
        isSlow = true
        onBegun({ item: lane.item, stepId: step.id })
      }
      begin(lane, step)
    }
    if (isSlow) commitMeanwhile()
  }

  async function nextArrivals(): Promise<readonly FinishedStep[]> {
    while (arrived.length === 0) {
      signal.throwIfAborted()
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      await promise
    }
    return arrived.splice(0)
  }

  async function go(): Promise<ExecutionEnd> {
    if (execution.lastSeq === 0 || execution.startedAt === null)
      journal.add('execution_started', { execution_id: id, flow_id: definition.id })
    beginReady()
    for (let end = lanes.end(); end === undefined; end = lanes.end()) {
      const taken = (await nextArrivals()).map((finished) => lanes.take(finished))
      const outcomes = taken.flatMap((it) => it.outcomes)
      for (const outcome of outcomes) tally.add(outcome)
      const fatal = taken.find((it) => it.fatal !== undefined)?.fatal
      const over = fatal === undefined ? lanes.end() : ({ status: 'failed', error: fatal } as const)
      if (over !== undefined) return await conclude(over, outcomes)
      await commit(outcomes)
      beginReady()
    }
    return await conclude(lanes.end() ?? { status: 'completed', error: null }, [])
  }

  async function conclude(ending: ExecutionEnd, outcomes: readonly StepOutcome[]): Promise<ExecutionEnd> {
    stopping.abort(executionIsOver)
    // What still runs gives the rest of its money back first; the end is the last word about it.
    await Promise.all(running)
    if (ending.status === 'completed' && rules.keepsMemory) await keepMemory()
    const finishedAt = now()
    journal.add(`execution_${ending.status}`, {
      execution_id: id,
      status: ending.status,
      duration: (finishedAt.getTime() - startedAt.getTime()) / 1000,
      total_cost: ledger.spent() / 1e6,
      ...(ending.error !== null && { error: ending.error }),
      ...(ending.status === 'cancelled' && { reason: (cancelled.reason as CancelRequest).reason }),
    })
    const facts = tally.close(factsAbout(execution, startedAt), {
      status: ending.status,
      errorCode: ending.error?.code ?? null,
      finishedAt,
      spent: ledger.spent(),
      peakBytes: room.mostBytes(),
    })
    await commit(outcomes, { end: { ...ending, facts, counted: rules.counts } })
    // Not of a failed one: it may still be recovered.
    if (!rules.keepsOutputs && ending.status !== 'failed') await options.forgetOutputs(lastSteps(graph))
    return ending
  }

  /** Before the end is told: what comes after must find it. */
  async function keepMemory(): Promise<void> {
    const memory = lanes.memory()
    const problem = memory === undefined ? undefined : await options.keepMemory(memory)
    if (problem !== undefined) journal.add('log', { level: 'warning', message: problem, details: {} })
  }

  const outOfTime: ExecutionEnd = {
    status: 'failed',
    error: {
      code: 'EXECUTION_TIMEOUT',
      message: `The execution took longer than the ${rules.mostMs / 1000} seconds it may take.`,
      details: { timeout_duration: rules.mostMs / 1000 },
    },
  }
  const stopped: ExecutionEnd = { status: 'cancelled', error: null }
  const timer = setTimeout(
    () => stopping.abort(outOfTime),
    Math.max(0, timedFrom.getTime() + rules.mostMs - now().getTime()),
  )
  const cancel = () => stopping.abort(stopped)
  cancelled.addEventListener('abort', cancel, { once: true })
  if (cancelled.aborted) cancel()
  if (options.signal.aborted) passOn()
  try {
    signal.throwIfAborted()
    return await go()
  } catch (error) {
    if (options.signal.aborted) throw error
    if (error === outOfTime || error === stopped) return await conclude(error as ExecutionEnd, [])
    // What it was given alone takes more room than it may.
    if (error instanceof StepFailure) return await conclude({ status: 'failed', error: errorOf(error) }, [])
    throw error
  } finally {
    clearTimeout(timer)
    cancelled.removeEventListener('abort', cancel)
    options.signal.removeEventListener('abort', passOn)
    stopping.abort(executionIsOver)
    await Promise.all(running)
  }
}

/** Steps that nothing comes after: what they made is the result. */
function lastSteps({ nodes, downstream }: Graph): string[] {
  return nodes.filter(({ id }) => downstream(id).size === 0).map(({ id }) => id)
}

function factsAbout(execution: HeldExecution, startedAt: Date): FactsAbout {
  const { definition, flowVersion, accountId, priority, createdAt, input } = execution
  return {
    flowId: definition.id,
    flowVersion,
    accountId,
    priority,
    createdAt,
    startedAt,
    items: input.batch?.items.length ?? 0,
  }
}
