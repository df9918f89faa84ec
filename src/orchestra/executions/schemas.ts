import { Type } from 'typebox'
import type { ExecutionRecord } from '#engine'
import { describeWarnings, type Reach, schemas } from '#executions-api'
import {
  executionStates,
  flag,
  freeForm,
  integer,
  maybeInteger,
  maybeText,
  number,
  text,
  texts,
  unpriced,
} from '../schemas/values.ts'

export const WarningPart = schemas.warning(
  'The kind of warning, such as `step_warning`, `step_retried`, `cost_alert` or `mail_not_configured`.',
)

const StepDetail = Type.Object({
  step_id: Type.String(),
  agent: maybeText('The agent that ran it; null for other steps.'),
  duration: number('Seconds.'),
  tokens_used: integer('Input and output tokens.'),
  cost: number('Dollars.'),
  unpriced,
  success: Type.Boolean(),
})

const common = {
  success: flag('Whether it completed or was accepted.'),
  execution_id: Type.String(),
  status: Type.Enum([...executionStates]),
  callback_info: schemas.CallbackInfo,
  warnings: Type.Array(WarningPart),
  timestamp: integer('When this response was created. Epoch seconds.'),
}

/** The response for an execution that completed while the caller waited. */
export const CompletedExecution = Type.Object({
  ...common,
  result: Type.Object({
    workflow_id: Type.String(),
    steps_executed: integer('Steps that ran.'),
    execution_time: number(
      'Seconds in which workers ran it, without the time in the queue and before a recovery.',
    ),
    cost_estimate: number('Cost in dollars.'),
    unpriced,
    results: freeForm('Outputs by step id; without `track_intermediate_results` those of the last steps.'),
    step_details: Type.Array(StepDetail, { description: 'In the order the steps ended.' }),
  }),
  metrics: Type.Object({
    total_tokens: integer('Input and output tokens.'),
    ai_calls: integer('Model calls.'),
    cache_hits: integer('Calls answered from the cache.'),
    providers_used: texts('Providers that were used.'),
  }),
})

/** The response for an execution that was queued. */
export const AcceptedExecution = Type.Object({
  ...common,
  result: Type.Object({
    workflow_id: Type.String(),
    steps_executed: integer('Always 0: the execution has not started.'),
    execution_time: number('Always 0: the execution has not started.'),
    cost_estimate: number('Estimated cost in dollars; 0 without history or prices.'),
    unpriced,
    results: freeForm('Always empty: the execution has not started.'),
    step_details: Type.Array(StepDetail, { description: 'Always empty: the execution has not started.' }),
  }),
  metrics: Type.Object({
    total_tokens: integer('Always 0: the execution has not started.'),
    ai_calls: integer('Always 0: the execution has not started.'),
    cache_hits: integer('Always 0: the execution has not started.'),
    providers_used: texts('Always empty: the execution has not started.'),
  }),
  status_url: text('The URL of its status.'),
  queue_position: maybeInteger('Position in the queue, from 1; null when it is not in the queue.'),
  estimated_start_time: maybeInteger('Epoch seconds; null when unknown.'),
  estimated_completion_time: maybeInteger('Epoch seconds; null when unknown.'),
  debounced: Type.Optional(
    Type.Boolean({
      description:
        'True when the workflow has combined this start with an earlier one, which has not started yet: `execution_id` is that of the earlier execution.',
    }),
  ),
  approval: Type.Unsafe<'pending' | 'approved' | 'rejected' | null>({
    type: 'string',
    enum: ['pending', 'approved', 'rejected', null],
    nullable: true,
    description: 'Null when no approval is required.',
  }),
})

/** The warnings of an execution. This API calls `webhook_url` `callback_url`. */
export function describeOrchestraWarnings(record: ExecutionRecord, reach: Reach) {
  return describeWarnings(record, reach).map((warning) =>
    warning.type === 'callbacks_not_delivered'
      ? { ...warning, message: warning.message.replaceAll('webhook_url', 'callback_url') }
      : warning,
  )
}
