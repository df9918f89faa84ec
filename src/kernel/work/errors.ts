import { defineFailures } from '#kernel/errors'

/** The failures of workers and their queues. */
export const workFailureTable = {
  /** Not retryable: another worker has the row now, or it is finished. */
  fenced: { status: 409, message: 'Another worker has taken over this work, or it was cancelled.' },
  no_local_slot: {
    status: 503,
    message: 'This worker has no free local slot for the owner of the row. Add the row to the queue instead.',
    retryable: true,
  },
} as const

export const workFailure = defineFailures(workFailureTable)
