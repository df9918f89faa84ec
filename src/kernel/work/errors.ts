import { failuresOf } from '#kernel/errors'

export const workFailureTable = {
  /** Never retryable: somebody else has the row now, or it is over. */
  fenced: { status: 409, message: 'This work has been handed to another worker or was cancelled.' },
} as const

export const workFailure = failuresOf(workFailureTable)
