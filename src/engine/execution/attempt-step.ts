import { pause } from '#kernel/timers'
import type { Step } from '../definition/step-types.ts'
import { isFatalCode, StepFailure } from '../steps/step-failure.ts'
import { noUsage, type StepResult, type StepRun, type StepUsage } from '../steps/step-run.ts'

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
 * | anything else              | `on_failure` is `continue`                                        | passed over                         |
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
      if (isFatalCode(failure.code)) return { kind: 'aborted', failure, usage, attempts: attempt }
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

function endWith(
  failure: StepFailure,
  step: Step,
  onFailure: string,
  usage: StepUsage,
  attempts: number,
): StepEnd {
  if (onFailure === 'continue') return { kind: 'passed_over', failure, usage, attempts }
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

function addUsage(left: StepUsage, right: StepUsage): StepUsage {
  if (left === noUsage) return right
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
