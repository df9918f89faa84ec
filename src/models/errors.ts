import { failuresOf } from '#kernel/errors'

/** Everything that can go wrong between a caller and a model. */
export const modelsFailureTable = {
  model_not_found: { status: 404, message: 'Nobody here has this model.' },
  unsupported: { status: 400, message: 'This model cannot do what was asked.' },
  provider_refused: { status: 400, message: 'The provider does not take this request.' },
  budget_used_up: { status: 429, message: "Today's budget does not allow this call." },
  provider_rate_limited: { status: 429, message: 'The provider takes no more for now.', retryable: true },
  provider_unavailable: { status: 502, message: 'The provider cannot be asked.', retryable: true },
  provider_timeout: { status: 504, message: 'The provider did not answer in time.', retryable: true },
  answer_broke_off: { status: 502, message: 'The answer broke off.', retryable: true },
  loop_detected: {
    status: 508,
    message: 'This request has been here before: the gateway is a gateway of itself.',
  },
  answer_not_as_asked: { status: 502, message: 'The model did not answer in the form that was asked for.' },
} as const

export const modelsFailure = failuresOf(modelsFailureTable)
