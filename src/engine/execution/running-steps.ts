import { asksModels, onlyComputes, type Step } from '../definition/step-types.ts'
import type { StepFailure } from '../steps/step-failure.ts'
import type { StepExecutor, StepRun } from '../steps/step-run.ts'
import { attemptStep } from './attempt-step.ts'
import type { HeldExecution, WatchedStep } from './held-execution.ts'
import type { Journal } from './journal.ts'
import type { Lane } from './lanes.ts'
import type { FinishedStep } from './progress.ts'
import type { Rules } from './rules.ts'

/** Steps of one execution that are under way. */
export interface RunningSteps {
  begin(lane: Lane, step: Step): void
  /** How many of them ask models. */
  aiCalls(): number
  /** Whether some of them only compute, so that they will be over in a moment. One that waits for its next attempt does not. */
  areComputing(): boolean
  /** Waits until one is over or will be tried again; takes those that are over. */
  next(): Promise<readonly FinishedStep[]>
  /** Ends all of them, and resolves when they are over. */
  stop(reason: Error): Promise<void>
}

interface RunningStepsOptions {
  readonly execution: Pick<HeldExecution, 'id' | 'accountId' | 'input'>
  readonly rules: Rules
  readonly journal: Journal
  readonly purse: StepRun['purse']
  readonly runStep: StepExecutor<Step>
  readonly onToken: (step: WatchedStep, text: string) => void
  readonly onPhase: (step: WatchedStep, phase: Parameters<StepRun['onPhase']>[0]) => void
  /** Ends all of them. */
  readonly stopping: AbortController
  readonly now: () => Date
}

export function createRunningSteps(options: RunningStepsOptions): RunningSteps {
  const { execution, rules, journal, purse, runStep, onToken, onPhase, stopping, now } = options
  const { id: executionId, accountId, input } = execution
  const { signal } = stopping
  const items = input.batch?.items.length ?? 1
  const avoidedProviders = new Set(rules.avoidedProviders)
  const running = new Set<Promise<void>>()
  let arrived: FinishedStep[] = []
  let aiCalls = 0
  let computing = 0
  let wake: (() => void) | undefined
  signal.addEventListener('abort', () => wake?.(), { once: true })

  function tellRetry(
    step: Step,
    about: object,
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
      ...about,
    })
  }

  return {
    begin({ item, progress, over }, step) {
      const begunAt = now()
      const begunMs = performance.now()
      const watched = { item, stepId: step.id }
      const about = input.batch === undefined ? {} : { item }
      let isComputing = onlyComputes(step)
      if (isComputing) computing += 1
      if (asksModels(step)) aiCalls += 1
      progress.start(step)
      journal.add('step_started', { step_id: step.id, step_type: step.type, ...about })

      function log(...[level, message, details = {}]: Parameters<StepRun['log']>): void {
        if (level !== 'debug' || rules.logsDetails)
          journal.add('log', { level, message, step: step.id, details, ...about })
      }

      function hasComputed(): void {
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
          arrived.push({ step, item, end, cpuMs, begunAt, endedAt: now() })
        } catch (error) {
          // Anything but a failure of its own: its item is over, it was stopped, or it is a mistake of ours.
          if (over?.signal.aborted !== true) stopping.abort(error)
        } finally {
          running.delete(done)
          if (asksModels(step)) aiCalls -= 1
          hasComputed()
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
          failedMakerOf: progress.failedMakerOf,
          rules,
          avoidedProviders,
          signal: over === undefined ? signal : AbortSignal.any([signal, over.signal]),
          purse,
          onToken: (text) => onToken(watched, text),
          onPhase: (phase) => onPhase(watched, phase),
          log,
        },
        onRetry(retry) {
          tellRetry(step, about, retry)
          hasComputed()
        },
      })
      // What a step does before it first waits is what it computes; steps that wait for nobody are over by then.
      const cpuMs = performance.now() - begunMs
      const done = follow(attempts)
      running.add(done)
    },

    aiCalls: () => aiCalls,
    areComputing: () => computing > 0,

    async next() {
      if (arrived.length === 0) {
        signal.throwIfAborted()
        await new Promise<void>((resolve) => (wake = resolve))
        if (arrived.length === 0) signal.throwIfAborted()
      }
      const taken = arrived
      arrived = []
      return taken
    },

    async stop(reason) {
      // Most often nothing is left, and nobody has to hear of it.
      if (running.size === 0) return
      stopping.abort(reason)
      await Promise.all(running)
    },
  }
}
