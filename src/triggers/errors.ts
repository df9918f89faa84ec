import { defineFailures } from '#kernel/errors'

/** The errors of triggers, by code. */
const triggersFailureTable = {
  trigger_not_found: { status: 404, message: 'There is no trigger with this id, or it is not yours.' },
  hook_not_found: { status: 404, message: 'There is no trigger at this URL, or it is disabled.' },
  delivery_not_found: { status: 404, message: 'This trigger has no delivery with this id.' },
  delivery_not_kept: {
    status: 409,
    message: 'The request of this delivery is not kept any more, so it cannot be replayed.',
  },
  signature_invalid: {
    status: 401,
    message: 'The signature or secret of the request is missing, wrong or too old.',
  },
  trigger_gone: { status: 410, message: 'The trigger cannot start its flow any more.' },
  trigger_loop: {
    status: 409,
    message: 'Five executions have started each other by triggers. This one was not started.',
  },
  too_many_triggers: {
    status: 409,
    message: 'This account has reached its limit of triggers. Delete one first.',
  },
  trigger_disabled: {
    status: 409,
    message: 'The trigger was disabled before this delayed event was handled.',
  },
  too_many_delayed: {
    status: 429,
    message:
      'The trigger has as many delayed events as it may have. This one was not kept: make the filter narrower, or use fewer triggers.',
  },
  event_gone: { status: 410, message: 'The event is not in the event log any more.' },
  event_failed: {
    status: 500,
    message: 'The event could not be handled. The log of the server has the reason.',
  },
  filter_failed: { status: 422, message: 'The filter of the trigger cannot be evaluated for this request.' },
  signal_key_invalid: {
    status: 422,
    message:
      'The correlation key of the event is empty, longer than 200 characters, or no text. Change the template signal.correlation_key of the trigger.',
  },
  trigger_input_too_large: { status: 413, message: 'With its values filled in, the input is too large.' },
  execution_failed: { status: 422, message: 'The execution has failed.' },
} as const

/** Creates an error of triggers: its code, status and message are from the table above. */
export const triggersFailure = defineFailures(triggersFailureTable)
