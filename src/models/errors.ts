import { defineFailures } from '#kernel/errors'

/** The failures of a model call. */
export const modelsFailureTable = {
  model_not_found: { status: 404, message: 'The model was not found.' },
  model_not_allowed: { status: 403, message: 'The API key does not allow this model.' },
  response_not_found: { status: 404, message: 'The response was not found.' },
  previous_response_not_found: { status: 400, message: 'The previous response was not found.' },
  conversation_too_long: { status: 400, message: 'The conversation is too long to be continued.' },
  unsupported: { status: 400, message: 'The model does not support this request.' },
  provider_refused: { status: 400, message: 'The provider rejected the request.' },
  budget_used_up: { status: 429, message: 'The budget does not allow this call.' },
  model_limit_reached: {
    status: 429,
    message: 'The limit of the model or its provider is reached.',
    retryable: true,
  },
  provider_rate_limited: {
    status: 429,
    message: 'The rate limit of the provider is exceeded.',
    retryable: true,
  },
  provider_unavailable: { status: 502, message: 'The provider is unavailable.', retryable: true },
  provider_timeout: { status: 504, message: 'The provider did not respond in time.', retryable: true },
  answer_broke_off: { status: 502, message: 'The response was cut off.', retryable: true },
  loop_detected: {
    status: 508,
    message: 'The request came back to this gateway: RUNTIME_GATEWAY_URL points to the gateway itself.',
  },
  answer_not_as_asked: { status: 502, message: 'The output of the model does not satisfy the schema.' },
} as const

export const modelsFailure = defineFailures(modelsFailureTable)
