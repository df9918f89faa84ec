import { pause } from '#kernel/timers'
import { callsModels, isContainer, isPure, type Step } from '../definition/step-types.ts'
import { isFatal, noUsage, StepFailure, type StepUsage } from '../steps/step-failure.ts'
import { type StepExecutor, type StepResult, type StepRun } from '../steps/step-run.ts'
import type { Journal, StoredError } from '../store/commit.ts'
import type { ExecutionWaits } from '../waits/execution-waits.ts'
import { openContainer } from './containers/index.ts'
import { describeExecution, laterOf } from './expression-times.ts'
import type { LeasedExecution, StepRef } from './leased-execution.ts'
import type { Rules } from './rules.ts'
import type { FlowRef, SubFlows } from './sub-flows.ts'

/** The running steps of one execution. */
export interface RunningSteps {
  start(scope: OpenScope, step: Step): void
  /** How many steps run, or have ended without being taken by `next`. */
  count(): number
  /** Makes `next` return. */
  poke(): void
  /** How many of them call models. */
  aiCalls(): number
  /** Whether a pure step is running, which ends within moments. A step that waits for its next attempt is not counted. */
  areComputing(): boolean
  /** Waits until a step ends, is about to be retried, or `poke` is called. Returns the steps that ended. */
  next(): Promise<readonly FinishedStep[]>
  /** Aborts all running steps, and resolves when they have ended. */
  stop(reason: Error): Promise<void>
}

/** A step that ran to its end. */
export interface FinishedStep {
  readonly step: Step
  /** The scope of the step: empty, or `translate_all/7/`. */
  readonly path: string
  /** The item of a batch; 0 without one. */
  readonly item: number
  /** Time it computed in this process, without waiting. */
  readonly cpuMs: number
  readonly startedAt: Date
  readonly endedAt: Date
  readonly end: StepEnd
  /** Further details of the outcome. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** The scope that a step belongs to: a batch item, or one run through the steps of a container. */
export interface OpenScope {
  readonly item: number
  /** Precedes the id of a step in its step path: empty, or `translate_all/7/`. */
  readonly path: string
  /** Further fields of events: the item of a batch, the container and the number of the scope. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly progress: Pick<StepRun, 'scope' | 'failedProducerOf'> & {
    ready(): readonly Step[]
    start(step: Step): void
    /** When the last of the steps before a step ended; undefined: it is a first step. */
    endedBefore(stepId: string): Date | undefined
  }
  /** Aborts when the scope ends. */
  readonly ended: AbortController | undefined
  /** The budget of the scope, if it has one. */
  readonly budget: StepRun['budget'] | undefined
  readonly rules: Rules
  /** The flow whose definition has its steps. */
  readonly flow: FlowRef
  /** The sub-flows around its steps, the outermost first. */
  readonly callers: readonly string[]
}

interface RunningStepsOptions {
  readonly execution: Pick<LeasedExecution, 'id' | 'accountId' | 'input' | 'definition' | 'flowVersion'>
  readonly startedAt: Date
  readonly rules: Rules
  readonly journal: Journal
  readonly budget: StepRun['budget']
  readonly runStep: StepExecutor<Step>
  readonly evaluator: StepRun['evaluator']
  readonly subFlows: SubFlows
  readonly onToken: (step: StepRef, text: string) => void
  readonly onPhase: (step: StepRef, phase: Parameters<StepRun['onPhase']>[0]) => void
  readonly waits: Pick<ExecutionWaits, 'startOf' | 'waitOf'>
  /** Aborts all running steps. */
  readonly stopping: AbortController
  readonly now: () => Date
}

export function createRunningSteps(options: RunningStepsOptions): RunningSteps {
  const { execution, rules, journal, budget, runStep, evaluator, onToken, onPhase, waits, stopping, now } =
    options
  const { id: executionId, accountId, input } = execution
  const { signal } = stopping
  const services = { flows: options.subFlows, runStep }
  const items = input.batch?.items.length ?? 1
  const avoidedProviders = new Set(rules.avoidedProviders)
  const running = new Set<Promise<void>>()
  let finished: FinishedStep[] = []
  let aiCalls = 0
  let computing = 0
  let isPoked = false
  let wake: (() => void) | undefined
  signal.addEventListener('abort', () => wake?.(), { once: true })

  /**
   * The variables of expressions. `now` is not the clock: a step that runs again after a crash must send the same as before, under the
   * same idempotency key.
   */
  function variablesOf(stepId: string, progress: OpenScope['progress']): Readonly<Record<string, unknown>> {
    return {
      // The outcomes that a fork reuses are older than its start.
      now: laterOf(options.startedAt, progress.endedBefore(stepId)),
      execution: describeExecution(execution, options.startedAt),
    }
  }

  /** Named fields instead of a spread: every step makes this object. */
  function scopeOf(stepId: string, progress: OpenScope['progress']): StepRun['scope'] {
    const { memory, context, steps, outer } = progress.scope
    return { memory, context, steps, outer, variables: () => variablesOf(stepId, progress) }
  }

  function recordRetry(
    step: Step,
    { path, fields }: OpenScope,
    { attempt, failure, pauseMs }: { attempt: number; failure: StepFailure; pauseMs: number },
  ): void {
    const { code, message, provider } = failure
    journal.add('step_retrying', {
      step_id: `${path}${step.id}`,
      attempt,
      code,
      message,
      ...(provider !== undefined && { provider }),
      pause: pauseMs / 1000,
      ...fields,
    })
  }

  return {
    start(place, step) {
      const { item, path, fields, progress, ended, callers } = place
      const startedMs = performance.now()
      const stepPath = `${path}${step.id}`
      const ref = { item, stepId: stepPath }
      const waitsSince = isPure(step) ? undefined : waits.startOf(ref)
      const startedAt = waitsSince ?? now()
      let isComputing = isPure(step)
      if (isComputing) computing += 1
      if (callsModels(step)) aiCalls += 1
      progress.start(step)
      // A step that goes on waiting has started in an earlier lease.
      if (waitsSince === undefined)
        journal.add('step_started', { step_id: stepPath, step_type: step.type, ...fields }, startedAt)

      function log(...[level, message, details = {}]: Parameters<StepRun['log']>): void {
        if (level !== 'debug' || rules.logsDetails)
          journal.add('log', { level, message, step: stepPath, details, ...fields })
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
          finished.push({ step, path, item, end, cpuMs, startedAt, endedAt: now() })
        } catch (error) {
          // Not a StepFailure: the item has ended, the execution was stopped, or the engine has a bug.
          if (ended?.signal.aborted !== true) stopping.abort(error)
        } finally {
          running.delete(done)
          if (callsModels(step)) aiCalls -= 1
          endComputing()
        }
      }

      const stepSignal = ended === undefined ? signal : AbortSignal.any([signal, ended.signal])
      const attempts = attemptStep({
        run: isContainer(step)
          ? (run) => openContainer({ ...run, step, callers: [execution.definition.id, ...callers] }, services)
          : runStep,
        first: {
          step,
          path: stepPath,
          item,
          items,
          executionId,
          accountId,
          flow: place.flow,
          attempt: 1,
          replay: input.replay,
          scope: scopeOf(step.id, progress),
          evaluator,
          failedProducerOf: progress.failedProducerOf,
          rules: place.rules,
          avoidedProviders,
          signal: stepSignal,
          budget: place.budget ?? budget,
          wait: waits.waitOf(ref, stepSignal),
          onToken: (text) => onToken(ref, text),
          onPhase: (phase) => onPhase(ref, phase),
          log,
        },
        onRetry(retry) {
          recordRetry(step, place, retry)
          endComputing()
        },
      })
      // The synchronous part of a step, up to its first await, is its computing time; a pure step has ended by then.
      const cpuMs = performance.now() - startedMs
      const done = follow(attempts)
      running.add(done)
    },

    count: () => running.size + finished.length,
    poke() {
      isPoked = true
      wake?.()
    },
    aiCalls: () => aiCalls,
    areComputing: () => computing > 0,

    async next() {
      if (finished.length === 0 && !isPoked) {
        signal.throwIfAborted()
        await new Promise<void>((resolve) => (wake = resolve))
        if (finished.length === 0) signal.throwIfAborted()
      }
      isPoked = false
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

/** How a step ended after its last attempt. */
export type StepEnd =
  | {
      readonly kind: 'completed'
      readonly result: StepResult
      readonly usage: StepUsage
      readonly attempts: number
      readonly fallback?: StepFailure
    }
  /** The step failed, and the execution continues without its output. */
  | {
      readonly kind: 'passed_over'
      readonly failure: StepFailure
      readonly usage: StepUsage
      readonly attempts: number
    }
  /** The step failed, and the execution ends. */
  | {
      readonly kind: 'aborted'
      readonly failure: StepFailure
      readonly usage: StepUsage
      readonly attempts: number
    }

interface AttemptOptions {
  readonly run: (run: StepRun) => Promise<StepResult>
  /** The first attempt. Later attempts differ in their number and in the providers they avoid. */
  readonly first: StepRun
  readonly onRetry: (retry: {
    readonly attempt: number
    readonly failure: StepFailure
    readonly pauseMs: number
  }) => void
}

/**
 * Runs one step until an attempt succeeds or no attempt is left. Throws the signal's reason when it aborts.
 *
 * | an attempt fails with      | and                                                               | then                                |
 * |----------------------------|-------------------------------------------------------------------|-------------------------------------|
 * | a limit of the execution   |                                                                   | aborted                             |
 * | an unavailable provider    | `retry_with_different_provider`, and it was not avoided before    | retried at once without the provider |
 * | a retryable failure        | attempts are left                                                 | retried after the backoff           |
 * | anything else              | the step has `on_error`                                           | passed over; its handler runs       |
 * |                            | `on_failure` is `continue`                                        | passed over                         |
 * |                            | `on_failure` is `fallback`                                        | completed with the fallback message |
 * |                            | otherwise                                                         | aborted                             |
 */
export async function attemptStep({ run, first, onRetry }: AttemptOptions): Promise<StepEnd> {
  const { step, rules, signal } = first
  const maxAttempts = rules.attemptsOf(step)
  const onFailure = rules.onFailureOf(step)
  let { avoidedProviders } = first
  let usage = noUsage

  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await run(attempt === 1 ? first : { ...first, attempt, avoidedProviders })
      return { kind: 'completed', result, usage: addUsage(usage, result.usage), attempts: attempt }
    } catch (error) {
      signal.throwIfAborted()
      const failure = asStepFailure(error)
      usage = addUsage(usage, failure.usage ?? noUsage)
      if (isFatal(failure)) return { kind: 'aborted', failure, usage, attempts: attempt }
      if (onFailure === 'retry_with_different_provider' && namesNewProvider(failure, avoidedProviders)) {
        avoidedProviders = new Set([...avoidedProviders, failure.provider])
        onRetry({ attempt: attempt + 1, failure, pauseMs: 0 })
        continue
      }
      if (attempt < maxAttempts && isRetryable(failure, first)) {
        const pauseMs = Math.max(rules.pauseMsBefore(attempt + 1), failure.retryAfterMs ?? 0)
        onRetry({ attempt: attempt + 1, failure, pauseMs })
        await pause(pauseMs, signal)
        continue
      }
      return endWith(failure, step, onFailure, usage, attempt)
    }
  }
}

/** How a step ends that failed for good. */
export function endWith(
  failure: StepFailure,
  step: Step,
  onFailure: string,
  usage: StepUsage,
  attempts: number,
): StepEnd {
  if (step.on_error !== undefined || onFailure === 'continue')
    return { kind: 'passed_over', failure, usage, attempts }
  const message = step.error_handling?.fallback_message
  if (onFailure !== 'fallback' || message === undefined) return { kind: 'aborted', failure, usage, attempts }
  const result: StepResult = {
    output: message,
    confidence: null,
    quality: null,
    usage: noUsage,
    details: { used_fallback: true },
  }
  return { kind: 'completed', result, usage, attempts, fallback: failure }
}

/** Whether the failure names a provider that was not avoided so far: another provider may succeed. */
function namesNewProvider(
  failure: StepFailure,
  avoided: ReadonlySet<string>,
): failure is StepFailure & { provider: string } {
  const { code, provider } = failure
  return code === 'PROVIDER_UNAVAILABLE' && provider !== undefined && !avoided.has(provider)
}

function isRetryable({ code }: StepFailure, { step, rules }: Pick<StepRun, 'step' | 'rules'>): boolean {
  if (code === 'PROVIDER_UNAVAILABLE') return rules.retriesProviders
  if (code === 'VALIDATION_FAILED') return step.retry_config?.retry_on_validation_failure ?? false
  return code === 'AGENT_DECISION_ERROR' || code === 'EXTERNAL_API_FAILED'
}

function asStepFailure(error: unknown): StepFailure {
  if (error instanceof StepFailure) return error
  throw error
}

/** The resources of two parts of the same work. */
export function addUsage(left: StepUsage, right: StepUsage): StepUsage {
  if (left === noUsage) return right
  if (right === noUsage) return left
  return {
    provider: right.provider ?? left.provider,
    model: right.model ?? left.model,
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    microDollars:
      left.microDollars === null || right.microDollars === null
        ? null
        : left.microDollars + right.microDollars,
    aiCalls: left.aiCalls + right.aiCalls,
    cacheHits: left.cacheHits + right.cacheHits,
    networkRequests: left.networkRequests + right.networkRequests,
    aiMs: left.aiMs + right.aiMs,
    apiMs: left.apiMs + right.apiMs,
  }
}

/** The stored form of a failure. */
export function errorOf({ code, message, provider, details }: StepFailure): StoredError {
  return { code, message, ...(provider !== undefined && { provider }), details }
}
