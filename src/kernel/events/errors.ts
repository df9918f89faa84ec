import { failuresOf } from '#kernel/errors'

/** Everything that can go wrong in the event log beyond the database itself. */
export const eventFailureTable = {
  invalid_event: { status: 400, message: 'The event is not valid.' },
  event_too_large: { status: 413, message: 'The data of the event is too large.' },
  cursor_out_of_range: {
    status: 410,
    message: 'The cursor lies outside the events that are kept. Start again from a fresh snapshot.',
  },
} as const

export const eventFailure = failuresOf(eventFailureTable)
