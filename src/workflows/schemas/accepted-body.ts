import { Type } from 'typebox'
import { CallbackPart, QueuePart, WarningPart } from './parts.ts'
import {
  estimateSources,
  executionStates,
  flag,
  integer,
  maybeInteger,
  maybeNumber,
  maybeText,
  number,
  text,
} from './values.ts'

/** An execution that was put into the queue. */
export const AcceptedBody = Type.Object(
  {
    success: flag('It will run.'),
    execution_id: Type.String(),
    flow_id: Type.String(),
    flow_version: Type.Integer(),
    status: Type.Enum([...executionStates]),
    ...QueuePart,
    estimated_start_time: maybeInteger(
      'Epoch seconds; null while it waits for somebody, or when nothing shows how fast those before it go.',
    ),
    estimated_completion_time: maybeInteger('Epoch seconds; null without any history.'),
    monitoring: Type.Object({
      status_url: text('Where to ask how it goes.'),
      stream_url: text('Where to hear how it goes.'),
      webhook_configured: flag('Whether an address was named that will be called.'),
      progress_notifications: flag('Whether it will also be told of progress.'),
    }),
    execution_config: Type.Object({
      priority: Type.String(),
      estimated_cost: maybeNumber('Dollars; null without any history.'),
      estimated_from: maybeText(estimateSources),
      resource_allocation: Type.Object({
        memory_reserved: number('Megabytes it may take at most.'),
        cpu_priority: text('The same as its priority.'),
        ai_call_slots: integer('Models it may ask at once.'),
      }),
    }),
    callback_info: CallbackPart,
    approval: maybeText('pending when somebody has to agree first.'),
    warnings: Type.Array(WarningPart),
    timestamp: integer('Epoch seconds.'),
  },
  { description: 'It waits in the queue.' },
)
