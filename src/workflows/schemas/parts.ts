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

/** Schemas that several responses share. */

export const WarningPart = schemas.warning(
  'The kind of warning, such as `step_warning`, `step_retried`, `preferred_provider_not_used`, `cost_alert`, `callbacks_not_delivered` or `mail_not_configured`.',
)

export const CallbackPart = schemas.CallbackInfo

export const DecisionPart = Type.Object({
  step: text('The step after which the agent decided.'),
  agent: text('The agent that decided.'),
  decision: text('The chosen option.'),
  confidence: maybeNumber('The confidence, 0 to 1; null when unknown.'),
  reasoning: text('The reason for the decision.'),
  context_used: texts('The context fields the decision used.'),
  alternative_paths_considered: texts('The options that were not chosen.'),
  timestamp: integer('Epoch seconds.'),
  workflow_modifications: Type.Object({
    steps_added: texts('Steps added by the decision.'),
    steps_skipped: texts('Steps skipped by the decision.'),
  }),
})

export const logLevels = ['debug', 'info', 'warning', 'error'] as const

export const LogLinePart = Type.Object({
  seq: integer('The sequence number of the entry; pass it as `after` for the next page.'),
  timestamp: integer('Epoch seconds.'),
  level: Type.Enum([...logLevels]),
  message: Type.String(),
  step: maybeText('The step of the entry; null without one.'),
  type: text('The event type, such as `step_completed` or `log`.'),
  details: freeForm('Further details.'),
  response_time: Type.Optional(number('The response time of a call in seconds.')),
})

const StoredError = Type.Object({
  code: Type.String(),
  message: Type.String(),
  step: Type.Optional(text('The step that failed.')),
  item: Type.Optional(integer('The index of the batch item, from 0.')),
  provider: Type.Optional(text('The provider that failed.')),
  details: Type.Optional(freeForm('Further details.')),
})

export const StoredErrorPart = Type.Unsafe<ExecutionRecord['error']>(
  Type.Union([StoredError, Type.Null()], { description: 'The error; null on success.' }),
)

export const StepResultPart = Type.Object(
  {
    step_type: Type.String(),
    label: maybeText('The label of the step; null without one.'),
    execution_time: number('Seconds.'),
    tokens_used: integer('Input and output tokens.'),
    cost: number('Dollars.'),
    unpriced,
    success: Type.Boolean(),
    ai_provider: maybeText('The provider of the model; null without a model call.'),
    model_used: maybeText('The model that was used; null without a model call.'),
    confidence: maybeNumber('The confidence, 0 to 1; null when unknown.'),
    quality: maybeNumber('The quality, 0 to 100; null when it was not measured.'),
    attempts: integer('Attempts, including the first.'),
    error: StoredErrorPart,
    results: anything('The output of the step. In a batch a list by item.'),
    items_failed: Type.Optional(integer('In a batch: number of items for which this step failed.')),
    conditions_evaluated: Type.Optional(
      Type.Array(
        Type.Object({
          condition: Type.String(),
          result: Type.Boolean(),
          action_taken: maybeText('The action of the condition that matched; else null.'),
        }),
        { description: 'Conditional steps: the evaluated conditions.' },
      ),
    ),
    routing_decision: Type.Optional(anything('Conditional steps: the chosen step and the reason.')),
    api_response_time: Type.Optional(number('External API steps: response time in seconds.')),
    api_endpoint: Type.Optional(text('External API steps: the called URL without its query.')),
    transformations_applied: Type.Optional(anything('Transform steps: the applied transformations.')),
    post_processing_applied: Type.Optional(anything('Prompt steps: the applied post-processing.')),
    used_fallback: Type.Optional(flag('Whether the step failed and `results` is its fallback message.')),
    reused_from: Type.Optional(text('The execution this result was reused from.')),
  },
  { description: 'The output of a step with its time, tokens and cost.' },
)

export type StepResult = Static<typeof StepResultPart>

export const CostPart = Type.Object({
  current_cost: number('Dollars so far.'),
  unpriced,
  estimated_total_cost: maybeNumber('Dollars; null without history.'),
  cost_by_provider: Type.Unsafe<Readonly<Record<string, number>>>({
    type: 'object',
    additionalProperties: { type: 'number' },
    description: 'Dollars by provider.',
  }),
  budget_remaining: maybeNumber('Dollars left of the budget; null without a budget.'),
})

export const QueuePart = {
  queue_position: maybeInteger('The position in the queue, from 1; null when it is not queued.'),
}
