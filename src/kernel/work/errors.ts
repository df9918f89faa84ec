import { defineFailures } from '#kernel/errors'

/** The failures of workers and their queues. */
export const workFailureTable = {
  /** Not retryable: another worker has the row now, or it is finished. */
  fenced: { status: 409, message: 'Another worker has taken over this work, or it was cancelled.' },
  no_local_slot: {
    status: 503,
    message: 'All local slots of this worker are in use. Add the row to the queue instead.',
    retryable: true,
  },
} as const

export const workFailure = defineFailures(workFailureTable)
