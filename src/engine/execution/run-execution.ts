import { failuresOf } from '#kernel/errors'
import { workFailureTable } from '#kernel/work'
import type { Purse } from '#models'
import type { FlowDefinition } from '../definition/flow.ts'
import type { Step } from '../definition/step-types.ts'
import type { StepExecutor, StepRun } from '../steps/step-run.ts'
import type { Commit, ExecutionEnd, StepOutcome } from '../store/commit.ts'
import { attemptStep } from './attempt-step.ts'
import type { ExecutionInput } from './input.ts'
import { createJournal } from './journal.ts'
import { createLedger } from './ledger.ts'
import { createProgress, type FinishedStep } from './progress.ts'
import { rulesOf } from './rules.ts'

const workFailure = failuresOf(workFailureTable)

/** An execution as it stands in the database, held by us. */
export interface HeldExecution {
  readonly id: string
  readonly accountId: string
  readonly workerId: string
  readonly fence: number
  readonly definition: FlowDefinition
  readonly input: ExecutionInput
  /** Null: it has not begun yet. */
  readonly startedAt: Date | null
  /** Stored as running, and not as waiting. */
  readonly isUnderWay: boolean
  /** With what a worker that died had reserved: nobody knows what became of it. */
  readonly spent: number
  /** In the order they came. */
  readonly outcomes: readonly StepOutcome[]
  readonly lastSeq: number
}

export interface RunOptions {
  readonly execution: HeldExecution
  readonly runStep: StepExecutor<Step>
  /** True once it is on disk; false when the execution is no longer ours. */
  readonly write: (commit: Commit) => Promise<boolean>
  readonly account: Purse
  readonly onToken: (stepId: string, text: string) => void
  /** Aborts when the execution was cancelled or lost, or the process stops. */
  readonly signal: AbortSignal
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
  const { execution, runStep, write, account, onToken, now = () => new Date() } = options
  const { id, definition, input } = execution
  const startedAt = execution.startedAt ?? now()
  const rules = rulesOf(definition, input, startedAt)
  const journal = createJournal({ lastSeq: execution.lastSeq, now })
  const progress = createProgress({ definition, input, rules, journal, outcomes: execution.outcomes })
  const stopping = new AbortController()
  const signal = AbortSignal.any([options.signal, stopping.signal])
  const running = new Map<string, Promise<void>>()
  const arrived: FinishedStep[] = []
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

  async function commit(
    steps: readonly StepOutcome[],
    more: Pick<Partial<Commit>, 'begins' | 'end'> = {},
  ): Promise<void> {
    const { workerId, fence } = execution
    const written = await write({
      executionId: id,
      workerId,
      fence,
      begins: more.begins ?? false,
      steps,
      events: journal.take(),
      spent: ledger.spent(),
      reserved: ledger.reserved(),
      end: more.end,
    })
    if (!written) throw workFailure('fenced', { details: { queue: 'executions', row: id } })
  }

  /** For what nobody has to wait for: should it not be written, the execution stops. */
  function commitMeanwhile(more?: { readonly begins: true }): void {
    commit([], more).catch((error: unknown) => stopping.abort(error))
  }

  function begin(step: Step): void {
    const begunAt = now()
    progress.start(step)
    journal.add('step_started', { step_id: step.id, step_type: step.type })
    const setting: Omit<StepRun, 'attempt' | 'avoidedProviders'> = {
      step,
      executionId: id,
      accountId: execution.accountId,
      scope: progress.scope,
      failedMakerOf: progress.failedMakerOf,
      rules,
      signal,
      purse: ledger.purse,
      onToken: (text) => onToken(step.id, text),
      log(level, message, details = {}) {
        if (level !== 'debug' || rules.logsDetails)
          journal.add('log', { level, message, step: step.id, details })
      },
    }
    const attempts = attemptStep({
      run: runStep,
      setting,
      onRetry: ({ attempt, failure: { code, message }, pauseMs }) =>
        journal.add('step_retrying', { step_id: step.id, attempt, code, message, pause: pauseMs / 1000 }),
    })
    const done = attempts
      .then((end) => void arrived.push({ step, begunAt, endedAt: now(), end }))
      // A step that throws anything but a failure of its own: stopped from outside, or a mistake of ours.
      .catch((error: unknown) => stopping.abort(error))
      .finally(() => {
        running.delete(step.id)
        if (step.type === 'ai_prompt') aiCalls -= 1
        wake?.()
      })
    running.set(step.id, done)
    if (step.type === 'ai_prompt') aiCalls += 1
  }

  function beginReady(): void {
    const begun = progress.ready().filter((step) => {
      const mayBegin = step.type !== 'ai_prompt' || aiCalls < rules.mostAiCalls
      if (mayBegin) begin(step)
      return mayBegin
    })
    // What may take long is told at once; what is over in a moment is told with its end.
    if (begun.some(({ type }) => type === 'ai_prompt' || type === 'external_api')) commitMeanwhile()
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
    if (execution.lastSeq === 0)
      journal.add('execution_started', { execution_id: id, flow_id: definition.id })
    if (!execution.isUnderWay) commitMeanwhile({ begins: true })
    while (!progress.isOver()) {
      beginReady()
      const taken = (await nextArrivals()).map((finished) => progress.take(finished))
      const outcomes = taken.flatMap((it) => it.outcomes)
      const error = taken.find((it) => it.error !== undefined)?.error
      if (error !== undefined) return await conclude({ status: 'failed', error }, outcomes)
      if (!progress.isOver()) await commit(outcomes)
      else return await conclude({ status: 'completed', error: null }, outcomes)
    }
    return await conclude({ status: 'completed', error: null }, [])
  }

  async function conclude(ending: ExecutionEnd, outcomes: readonly StepOutcome[]): Promise<ExecutionEnd> {
    stopping.abort(new Error('the execution is over'))
    // What still runs gives the rest of its money back first; the end is the last word about it.
    await Promise.all(running.values())
    journal.add(`execution_${ending.status}`, {
      execution_id: id,
      status: ending.status,
      duration: (now().getTime() - startedAt.getTime()) / 1000,
      total_cost: ledger.spent() / 1e6,
      ...(ending.error !== null && { error: ending.error }),
    })
    await commit(outcomes, { end: ending })
    return ending
  }

  const outOfTime: ExecutionEnd = {
    status: 'failed',
    error: {
      code: 'EXECUTION_TIMEOUT',
      message: `The execution took longer than the ${rules.mostMs / 1000} seconds it may take.`,
      details: { timeout_duration: rules.mostMs / 1000 },
    },
  }
  const timer = setTimeout(
    () => stopping.abort(outOfTime),
    startedAt.getTime() + rules.mostMs - now().getTime(),
  )
  try {
    return await go()
  } catch (error) {
    if (error !== outOfTime || options.signal.aborted) throw error
    return await conclude(outOfTime, [])
  } finally {
    clearTimeout(timer)
    stopping.abort(new Error('the execution is over'))
    await Promise.all(running.values())
  }
}
