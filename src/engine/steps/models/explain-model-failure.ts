import { Failure } from '#kernel/errors'
import { StepFailure, type StepFailureCode } from '../step-failure.ts'

/**
 * What a failure of the gateway means for a step. Anything it does not know is a mistake of ours and no reason to try again.
 *
 * | failure                                                                | is                       |
 * |------------------------------------------------------------------------|--------------------------|
 * | budget_used_up                                                         | INSUFFICIENT_CREDITS     |
 * | provider_rate_limited, _unavailable, _timeout, answer_broke_off        | PROVIDER_UNAVAILABLE     |
 * | model_not_found                                                        | PROVIDER_UNAVAILABLE     |
 * | anything else that is about the request                                | INVALID_STEP             |
 */
const codes: Readonly<Record<string, StepFailureCode>> = {
  budget_used_up: 'INSUFFICIENT_CREDITS',
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

/** The failure of a step, or what was thrown when it is none of the gateway's. */
export function explainModelFailure(thrown: unknown): unknown {
  const code = thrown instanceof Failure ? codes[thrown.code] : undefined
  if (!(thrown instanceof Failure) || code === undefined) return thrown
  const { provider } = thrown.details
  const seconds = thrown.retryAfterSeconds
  return new StepFailure({
    code,
    message:
      thrown.code === 'model_not_found'
        ? `${thrown.message} GET /api/v1/models lists the models there are.`
        : thrown.message,
    provider: typeof provider === 'string' ? provider : undefined,
    retryAfterMs: seconds === undefined ? undefined : seconds * 1000,
    details: { ...thrown.details, reason: thrown.code },
    cause: thrown,
  })
}
