import { defineFailures } from '#kernel/errors'

const idempotencyFailureTable = {
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was already used for a different request. Use a new key.',
  },
  idempotency_key_in_use: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still running. Try again shortly.',
    retryable: true,
  },
  idempotency_answer_too_large: {
    status: 422,
    message:
      'The response to the first request with this Idempotency-Key was too large to be stored (maximum 1 MiB). Use a new key to send the request again.',
  },
} as const

export const idempotencyFailure = defineFailures(idempotencyFailureTable)
