import { type Static, Type } from 'typebox'
import type { ExecutionRecord } from '#engine'
import { schemas } from '#executions-api'
import {
  anything,
  flag,
  freeForm,
  integer,
  maybeInteger,
  maybeNumber,
  maybeText,
  number,
  text,
  texts,
  unpriced,
} from './values.ts'

/** Parts that several bodies share. */

export const WarningPart = schemas.warning(
  'Such as `step_warning`, `step_retried`, `preferred_provider_not_used`, `cost_alert`, `callbacks_not_delivered` or `mail_not_configured`.',
)

export const CallbackPart = schemas.CallbackInfo

export const DecisionPart = Type.Object({
  step: text('The step after which it was decided.'),
  agent: text('Who decided.'),
  decision: text('The option that was chosen.'),
  confidence: maybeNumber('0 to 1; null when nothing measured it.'),
  reasoning: text('Why.'),
  context_used: texts('What was looked at.'),
  alternative_paths_considered: texts('The other options there were.'),
  timestamp: integer('Epoch seconds.'),
  workflow_modifications: Type.Object({
    steps_added: texts('Steps that run because of it.'),
    steps_skipped: texts('Steps that do not run because of it.'),
  }),
})

export const logLevels = ['debug', 'info', 'warning', 'error'] as const

export const LogLinePart = Type.Object({
  seq: integer('Grows by one with everything that happens; `after` of the next request.'),
  timestamp: integer('Epoch seconds.'),
  level: Type.Enum([...logLevels]),
  message: Type.String(),
  step: maybeText('The step it is about.'),
  type: text('What happened, such as `step_completed` or `log`.'),
  details: freeForm('What is known besides.'),
  response_time: Type.Optional(number('Seconds it took, where something was waited for.')),
})

const StoredError = Type.Object({
  code: Type.String(),
  message: Type.String(),
  step: Type.Optional(text('The step that failed.')),
  item: Type.Optional(integer('Which of a batch, from 0.')),
  provider: Type.Optional(text('Who could not answer.')),
  details: Type.Optional(freeForm('What is known besides.')),
})

export const StoredErrorPart = Type.Unsafe<ExecutionRecord['error']>(
  Type.Union([StoredError, Type.Null()], { description: 'Why it did not succeed; null when it did.' }),
)

export const StepResultPart = Type.Object(
  {
    step_type: Type.String(),
    label: maybeText('What people call the step.'),
    execution_time: number('Seconds.'),
    tokens_used: integer('Tokens that went in and came out.'),
    cost: number('Dollars.'),
    unpriced,
    success: Type.Boolean(),
    ai_provider: maybeText('Who answered; null when no model was asked.'),
    model_used: maybeText('The model that answered.'),
    confidence: maybeNumber('0 to 1; null when nothing measured it.'),
    quality: maybeNumber('0 to 100; null when nothing measured it.'),
    attempts: integer('Tries, the first included.'),
    error: StoredErrorPart,
    results: anything('What the step made. In a batch a list by item.'),
    items_failed: Type.Optional(integer('In a batch: items for which this step failed.')),
    conditions_evaluated: Type.Optional(
      Type.Array(
        Type.Object({
          condition: Type.String(),
          result: Type.Boolean(),
          action_taken: maybeText('Null unless it was the one that held.'),
        }),
        { description: 'Of conditional steps, as far as they were looked at.' },
      ),
    ),
    routing_decision: Type.Optional(anything('Of conditional steps: where it goes on, and why.')),
    api_response_time: Type.Optional(number('Of external_api steps: seconds.')),
    api_endpoint: Type.Optional(text('Of external_api steps: what was called, without its query.')),
    transformations_applied: Type.Optional(anything('Of data_transform steps.')),
    post_processing_applied: Type.Optional(anything('Of ai_prompt steps with post_processing.')),
    used_fallback: Type.Optional(flag('The step failed, and `results` is its fallback message.')),
    reused_from: Type.Optional(text('The execution this result was taken over from.')),
  },
  { description: 'What one step made and took.' },
)

export type StepResult = Static<typeof StepResultPart>

export const CostPart = Type.Object({
  current_cost: number('Dollars so far.'),
  unpriced,
  estimated_total_cost: maybeNumber('Dollars; null without any history.'),
  cost_by_provider: Type.Unsafe<Readonly<Record<string, number>>>({
    type: 'object',
    additionalProperties: { type: 'number' },
    description: 'Dollars by provider.',
  }),
  budget_remaining: maybeNumber('Dollars; null when neither the flow nor the caller set a limit.'),
})

export const QueuePart = {
  queue_position: maybeInteger('1 is next; null when it does not wait in the queue.'),
}
