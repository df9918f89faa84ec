import { defineFailures } from '#kernel/errors'

/** Failures of the event log, besides those of the database. */
const eventFailureTable = {
  invalid_event: { status: 400, message: 'The event is not valid.' },
  event_too_large: { status: 413, message: 'The data of the event is too large.' },
  cursor_out_of_range: {
    status: 410,
    message: 'The cursor is outside the retained events. Start again from a new snapshot.',
  },
} as const

export const eventFailure = defineFailures(eventFailureTable)
