import { failuresOf } from '#kernel/errors'

export const workFailureTable = {
  /** Never retryable: somebody else has the row now, or it is over. */
  fenced: { status: 409, message: 'This work has been handed to another worker or was cancelled.' },
  no_local_slot: {
    status: 503,
    message: 'This worker runs as many rows locally as it may. Add the row to the queue instead.',
    retryable: true,
  },
} as const

export const workFailure = failuresOf(workFailureTable)
