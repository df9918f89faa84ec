import { failuresOf } from '#kernel/errors'
import { startTimer } from '#kernel/timers'
import { workFailureTable } from '#kernel/work'
import type { Purse } from '#models'
import { asksModels, onlyComputes, type Step } from '../definition/step-types.ts'
import { StepFailure } from '../steps/step-failure.ts'
import type { StepExecutor, StepPhase } from '../steps/step-run.ts'
import type { Commit, ExecutionEnd, StepOutcome, StoredError } from '../store/commit.ts'
import { createCommitLine } from './commit-line.ts'
import { createTally, type FactsAbout } from './facts.ts'
import type { CancelRequest, HeldExecution, UnaddressedCommit, WatchedStep } from './held-execution.ts'
import { createJournal } from './journal.ts'
import { keptOutputs } from './kept-outputs.ts'
import { createLanes, readySteps } from './lanes.ts'
import { createLedger } from './ledger.ts'
import { errorOf, type FinishedStep } from './progress.ts'
import { createRoom } from './room.ts'
import { rulesOf } from './rules.ts'
import { createRunningSteps } from './running-steps.ts'

const workFailure = failuresOf(workFailureTable)

/** How much is computed before it is stored: this many outcomes, or this long. */
const longestStretch = { outcomes: 32, cpuMs: 10 } as const

/** How long a step may take before its beginning is told: most of those that are over by then are told with their end. */
const tellWithinMs = 20

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
  readonly now?: () => Date
}

/**
 * Runs an execution from where it stands to its end. Steps that may begin run side by side; what those that ended made, spent and
 * decided is committed together. Nothing is kept but in these commits: whoever takes an execution up again reads them and goes on.
 *
 * | a step that          | begins when what comes before it | because                                                              |
 * |----------------------|----------------------------------|----------------------------------------------------------------------|
 * | reaches outside      | is on disk                       | whoever it tells of this must not hear something else after a crash  |
 * | only computes        | is over                          | nobody saw it: after a crash it is computed again, and is the same   |
 *
 * Resolves with the end that was committed, and rejects when the execution is no longer ours or the process stops.
 */
export async function runExecution(options: RunOptions): Promise<ExecutionEnd> {
  const { execution, runStep, write, account, onBegun, onToken, onPhase, cancelled } = options
  const { id, definition, graph, input } = execution
  const now = createClock(options.now, execution.resumedAt ?? execution.startedAt ?? execution.createdAt)
  const startedAt = execution.startedAt ?? now()
  const timedFrom = execution.timedFrom ?? startedAt
  const rules = rulesOf(definition, input, timedFrom)
  const room = createRoom(rules.mostBytes)
  const journal = createJournal({ lastSeq: execution.lastSeq, now })
  const lanes = createLanes({ definition, graph, input, rules, room, journal, outcomes: execution.outcomes })
  const tally = createTally(graph.steps)
  for (const outcome of execution.outcomes) tally.add(outcome)
  const stopping = new AbortController()
  const { signal } = stopping
  // By hand: AbortSignal.any for each execution shows in profiles of light steps.
  const passOn = () => stopping.abort(options.signal.reason)
  options.signal.addEventListener('abort', passOn, { once: true })
  /** Its first commit says that it is. */
  let { isUnderWay } = execution
  /** Of steps that are over. Whatever is written takes them along, with what happened. */
  const unstored: StepOutcome[] = []
  let telling: NodeJS.Timeout | undefined

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

  const commit = createCommitLine<Commit['end']>(async (end) => {
    const { workerId, fence } = execution
    const begins = !isUnderWay
    isUnderWay = true
    clearTimeout(telling)
    telling = undefined
    const written = await write({
      executionId: id,
      workerId,
      fence,
      begins,
      startedAt,
      isBatch: input.batch !== undefined,
      steps: unstored.splice(0),
      events: journal.take(),
      spent: ledger.spent(),
      reserved: ledger.reserved(),
      end,
    })
    if (!written) throw workFailure('fenced', { details: { queue: 'executions', row: id } })
  })

  const steps = createRunningSteps({
    execution,
    rules,
    journal,
    purse: ledger.purse,
    runStep,
    onToken,
    onPhase,
    stopping,
    now,
  })

  /** For what nobody has to wait for: should it not be written, the execution stops. */
  function commitSoon(): void {
    telling ??= setTimeout(() => {
      commit().catch((error: unknown) => stopping.abort(error))
    }, tellWithinMs)
  }

  /** Begins what may begin, and answers whether steps that are not meant could. */
  function beginReady(isMeant: (step: Step) => boolean): boolean {
    let othersCould = false
    for (const { lane, step } of readySteps(lanes.open())) {
      if (asksModels(step) && steps.aiCalls() >= rules.mostAiCalls) continue
      if (!isMeant(step)) {
        othersCould = true
        continue
      }
      if (!onlyComputes(step)) {
        onBegun({ item: lane.item, stepId: step.id })
        commitSoon()
      }
      steps.begin(lane, step)
    }
    return othersCould
  }

  function take(finished: FinishedStep): StoredError | undefined {
    const { outcomes, fatal } = lanes.take(finished)
    for (const outcome of outcomes) tally.add(outcome)
    unstored.push(...outcomes)
    return fatal
  }

  /** Takes what steps made that are over, and what those make that only compute and may begin with it. Answers what ends it all. */
  async function nextStretch(): Promise<StoredError | undefined> {
    let cpuMs = 0
    let othersWait: boolean
    do {
      const finished = await steps.next()
      const [fatal] = finished.flatMap((it) => take(it) ?? [])
      if (fatal !== undefined) return fatal
      for (const it of finished) cpuMs += it.cpuMs
      othersWait = beginReady(onlyComputes)
      // Should it take longer than it looks.
      if (steps.areComputing()) commitSoon()
    } while (
      steps.areComputing() &&
      !othersWait &&
      unstored.length < longestStretch.outcomes &&
      cpuMs < longestStretch.cpuMs
    )
    return undefined
  }

  async function go(): Promise<ExecutionEnd> {
    if (execution.lastSeq === 0 || execution.startedAt === null)
      journal.add('execution_started', { execution_id: id, flow_id: definition.id })
    beginReady(() => true)
    for (let end = lanes.end(); end === undefined; end = lanes.end()) {
      const fatal = await nextStretch()
      const over = fatal === undefined ? lanes.end() : ({ status: 'failed', error: fatal } as const)
      if (over !== undefined) return await conclude(over)
      await commit()
      beginReady(() => true)
    }
    return await conclude(lanes.end() ?? { status: 'completed', error: null })
  }

  async function conclude(ending: ExecutionEnd): Promise<ExecutionEnd> {
    // What still runs gives the rest of its money back first; the end is the last word about it.
    await steps.stop(executionIsOver)
    if (ending.status === 'completed' && rules.keepsMemory) await keepMemory()
    const finishedAt = now()
    const leaseMs = finishedAt.getTime() - (execution.resumedAt ?? startedAt).getTime()
    const durationMs = execution.activeMs + leaseMs
    const facts = tally.close(factsAbout(execution, startedAt), {
      status: ending.status,
      errorCode: ending.error?.code ?? null,
      finishedAt,
      durationMs,
      spent: ledger.spent(),
      peakBytes: room.mostBytes(),
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
    await commit({ ...ending, finishedAt, facts, counted: rules.counts, keptOutputs: kept })
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
  const timer = startTimer(
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
    if (error === outOfTime || error === stopped) return await conclude(error as ExecutionEnd)
    // What it was given alone takes more room than it may.
    if (error instanceof StepFailure) return await conclude({ status: 'failed', error: errorOf(error) })
    throw error
  } finally {
    timer[Symbol.dispose]()
    clearTimeout(telling)
    cancelled.removeEventListener('abort', cancel)
    options.signal.removeEventListener('abort', passOn)
    await steps.stop(executionIsOver)
  }
}

/**
 * A clock that never goes back, nor behind what is stored of the execution. Steps lie within their execution whatever happens to the
 * clock of the machine, or to an execution that moves to another machine.
 */
function createClock(read: () => Date = () => new Date(), notBefore: Date): () => Date {
  let last = notBefore
  return () => {
    const at = read()
    if (at > last) last = at
    return last
  }
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
