import { Failure } from '#kernel/errors'
import { StepFailure, type StepFailureCode } from '../step-failure.ts'

/**
 * The step failure for each failure of the gateway. Any other error is a bug and is not retried.
 *
 * | failure of the gateway                                                 | step failure             |
 * |------------------------------------------------------------------------|--------------------------|
 * | budget_used_up                                                         | INSUFFICIENT_CREDITS     |
 * | provider_rate_limited, _unavailable, _timeout, answer_broke_off        | PROVIDER_UNAVAILABLE     |
 * | model_not_found, model_limit_reached                                   | PROVIDER_UNAVAILABLE     |
 * | other failures caused by the request                                   | INVALID_STEP             |
 */
const codes: Readonly<Record<string, StepFailureCode>> = {
  budget_used_up: 'INSUFFICIENT_CREDITS',
  model_limit_reached: 'PROVIDER_UNAVAILABLE',
  provider_rate_limited: 'PROVIDER_UNAVAILABLE',
  provider_unavailable: 'PROVIDER_UNAVAILABLE',
  provider_timeout: 'PROVIDER_UNAVAILABLE',
  answer_broke_off: 'PROVIDER_UNAVAILABLE',
  model_not_found: 'PROVIDER_UNAVAILABLE',
  unsupported: 'INVALID_STEP',
  provider_refused: 'INVALID_STEP',
  loop_detected: 'INVALID_STEP',
  invalid_input: 'INVALID_STEP',
  answer_not_as_asked: 'AGENT_DECISION_ERROR',
}

/** The StepFailure for a failure of the gateway; any other error as it is, also a StepFailure. */
export function explainModelFailure(thrown: unknown): unknown {
  const code = thrown instanceof Failure ? codes[thrown.code] : undefined
  if (!(thrown instanceof Failure) || code === undefined) return thrown
  const { provider } = thrown.details
  const seconds = thrown.retryAfterSeconds
  return new StepFailure({
    code,
    message:
      thrown.code === 'model_not_found'
        ? `${thrown.message} GET /api/v1/models lists the available models.`
        : thrown.message,
    provider: typeof provider === 'string' ? provider : undefined,
    retryAfterMs: seconds === undefined ? undefined : seconds * 1000,
    details: { ...thrown.details, reason: thrown.code },
    cause: thrown,
  })
}

/**
 * The StepFailure for a failure of a call with an output schema. A response that never satisfied the schema is a failed check; a built-in
 * provider that cannot fill the schema is a language model that is missing. Any other failure is explained as that of every call.
 */
export function explainSchemaFailure(thrown: unknown): unknown {
  if (thrown instanceof Failure && thrown.code === 'answer_not_as_asked') {
    const failed = { check: 'output_schema', expected: 'JSON that satisfies it', found: thrown.problems }
    return new StepFailure({
      code: 'VALIDATION_FAILED',
      message: thrown.message,
      details: { failed_checks: [failed], reason: thrown.code },
      cause: thrown,
    })
  }
  if (isNoLanguageModel(thrown)) {
    return new StepFailure({
      code: 'PROVIDER_UNAVAILABLE',
      message:
        'Output that satisfies output_schema needs a language model, and only builtin:text was available. Configure a provider, or name another model.',
      provider: 'builtin',
      details: { provider: 'builtin', reason: 'no_language_model' },
      cause: thrown,
    })
  }
  return explainModelFailure(thrown)
}

/** Whether the built-in provider was the last resort: it analyses text, but generates none. */
export function isNoLanguageModel(error: unknown): boolean {
  if (!(error instanceof Failure)) return false
  const { provider, others = [] } = error.details
  const tried = [{ provider, code: error.code }, ...(others as { provider: unknown; code: unknown }[])]
  return tried.some((turn) => turn.provider === 'builtin' && turn.code === 'unsupported')
}
