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
} as const

export const idempotencyFailure = failuresOf(idempotencyFailureTable)
