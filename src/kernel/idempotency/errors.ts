import { failuresOf } from '#kernel/errors'

export const idempotencyFailureTable = {
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key came before with another request. Use a new key for something new.',
  },
  idempotency_key_in_use: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still being worked on. Try again shortly.',
    retryable: true,
  },
  idempotency_answer_too_large: {
    status: 422,
    message:
      'The request with this Idempotency-Key was answered, and its answer was too large to be stored (1 MiB at most). Use a new key to ask again.',
  },
} as const

export const idempotencyFailure = failuresOf(idempotencyFailureTable)
