import { callsModels, isPure, type Step } from '../definition/step-types.ts'
import type { StepFailure } from '../steps/step-failure.ts'
import type { StepExecutor, StepRun } from '../steps/step-run.ts'
import { attemptStep } from './attempt-step.ts'
import type { BatchItem } from './batch-items.ts'
import type { Journal } from './journal.ts'
import type { LeasedExecution, StepRef } from './leased-execution.ts'
import type { FinishedStep } from './progress.ts'
import type { Rules } from './rules.ts'

/** The running steps of one execution. */
export interface RunningSteps {
  start(batchItem: BatchItem, step: Step): void
  /** How many of them call models. */
  aiCalls(): number
  /** Whether a pure step is running, which ends within moments. A step that waits for its next attempt is not counted. */
  areComputing(): boolean
  /** Waits until a step ends or is about to be retried. Returns the steps that ended. */
  next(): Promise<readonly FinishedStep[]>
  /** Aborts all running steps, and resolves when they have ended. */
  stop(reason: Error): Promise<void>
}

interface RunningStepsOptions {
  readonly execution: Pick<LeasedExecution, 'id' | 'accountId' | 'input'>
  readonly rules: Rules
  readonly journal: Journal
  readonly budget: StepRun['budget']
  readonly runStep: StepExecutor<Step>
  readonly onToken: (step: StepRef, text: string) => void
  readonly onPhase: (step: StepRef, phase: Parameters<StepRun['onPhase']>[0]) => void
  /** Aborts all running steps. */
  readonly stopping: AbortController
  readonly now: () => Date
}

export function createRunningSteps(options: RunningStepsOptions): RunningSteps {
  const { execution, rules, journal, budget, runStep, onToken, onPhase, stopping, now } = options
  const { id: executionId, accountId, input } = execution
  const { signal } = stopping
  const items = input.batch?.items.length ?? 1
  const avoidedProviders = new Set(rules.avoidedProviders)
  const running = new Set<Promise<void>>()
  let finished: FinishedStep[] = []
  let aiCalls = 0
  let computing = 0
  let wake: (() => void) | undefined
  signal.addEventListener('abort', () => wake?.(), { once: true })

  function recordRetry(
    step: Step,
    itemField: object,
    { attempt, failure, pauseMs }: { attempt: number; failure: StepFailure; pauseMs: number },
  ): void {
    const { code, message, provider } = failure
    journal.add('step_retrying', {
      step_id: step.id,
      attempt,
      code,
      message,
      ...(provider !== undefined && { provider }),
      pause: pauseMs / 1000,
      ...itemField,
    })
  }

  return {
    start({ item, progress, ended }, step) {
      const startedAt = now()
      const startedMs = performance.now()
      const ref = { item, stepId: step.id }
      const itemField = input.batch === undefined ? {} : { item }
      let isComputing = isPure(step)
      if (isComputing) computing += 1
      if (callsModels(step)) aiCalls += 1
      progress.start(step)
      journal.add('step_started', { step_id: step.id, step_type: step.type, ...itemField })

      function log(...[level, message, details = {}]: Parameters<StepRun['log']>): void {
        if (level !== 'debug' || rules.logsDetails)
          journal.add('log', { level, message, step: step.id, details, ...itemField })
      }

      function endComputing(): void {
        if (isComputing) computing -= 1
        isComputing = false
        wake?.()
      }

      async function follow(attempts: ReturnType<typeof attemptStep>): Promise<void> {
        try {
          const end = await attempts
          if (rules.logsDetails) {
            log('debug', `The step ended: ${end.kind.replace('_', ' ')}.`, {
              attempts: end.attempts,
              ai_calls: end.usage.aiCalls,
              network_requests: end.usage.networkRequests,
              cpu_time: Math.round(cpuMs) / 1000,
            })
          }
          finished.push({ step, item, end, cpuMs, startedAt, endedAt: now() })
        } catch (error) {
          // Not a StepFailure: the item has ended, the execution was stopped, or the engine has a bug.
          if (ended?.signal.aborted !== true) stopping.abort(error)
        } finally {
          running.delete(done)
          if (callsModels(step)) aiCalls -= 1
          endComputing()
        }
      }

      const attempts = attemptStep({
        run: runStep,
        first: {
          step,
          item,
          items,
          executionId,
          accountId,
          attempt: 1,
          scope: progress.scope,
          failedProducerOf: progress.failedProducerOf,
          rules,
          avoidedProviders,
          signal: ended === undefined ? signal : AbortSignal.any([signal, ended.signal]),
          budget,
          onToken: (text) => onToken(ref, text),
          onPhase: (phase) => onPhase(ref, phase),
          log,
        },
        onRetry(retry) {
          recordRetry(step, itemField, retry)
          endComputing()
        },
      })
      // The synchronous part of a step, up to its first await, is its computing time; a pure step has ended by then.
      const cpuMs = performance.now() - startedMs
      const done = follow(attempts)
      running.add(done)
    },

    aiCalls: () => aiCalls,
    areComputing: () => computing > 0,

    async next() {
      if (finished.length === 0) {
        signal.throwIfAborted()
        await new Promise<void>((resolve) => (wake = resolve))
        if (finished.length === 0) signal.throwIfAborted()
      }
      const taken = finished
      finished = []
      return taken
    },

    async stop(reason) {
      // The common case: without running steps, the abort would only cost time.
      if (running.size === 0) return
      stopping.abort(reason)
      await Promise.all(running)
    },
  }
}
