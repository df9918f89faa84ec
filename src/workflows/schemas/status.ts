import { Type } from 'typebox'
import { CostPart, DecisionPart, LogLinePart, QueuePart, StoredErrorPart, WarningPart } from './parts.ts'
import {
  estimateSources,
  executionStates,
  freeForm,
  integer,
  maybeInteger,
  maybeNumber,
  maybePart,
  maybeText,
  number,
  numbersBy,
  text,
  texts,
  unpriced,
} from './values.ts'

const phases =
  'queued, awaiting_approval, awaiting_capacity, starting, ai_processing, evaluating_conditions, calling_api, transforming_data, between_steps, cancelling, completed, failed or cancelled.'

export const StatusBody = Type.Object(
  {
    execution_id: Type.String(),
    flow_id: Type.String(),
    flow_version: Type.Integer(),
    status: Type.Enum([...executionStates]),
    current_phase: text(phases),
    progress: Type.Object({
      overall_percentage: number('Share of steps that are over.'),
      current_step: maybeText('The step that has been running longest; null when none runs.'),
      current_step_progress: maybeNumber(
        'Percentage: by the time it usually takes, else by the phases it has reached; null when neither is known.',
      ),
      steps_completed: integer('Steps that are over, those that were skipped included.'),
      steps_remaining: Type.Integer(),
      steps_total: integer('In a batch those of all items.'),
    }),
    timing: Type.Object({
      started_at: maybeInteger('Epoch seconds; null before it began.'),
      current_time: integer('Epoch seconds.'),
      elapsed_time: number('Seconds in which workers executed it so far.'),
      estimated_completion: maybeInteger('Epoch seconds; null without any history.'),
      estimated_remaining: maybeNumber('Seconds; null without any history.'),
      last_activity: integer('Epoch seconds at which something last happened.'),
    }),
    current_step_details: Type.Optional(
      maybePart(
        {
          step_id: Type.String(),
          step_type: Type.String(),
          status: Type.Literal('processing'),
          started_at: integer('Epoch seconds.'),
          elapsed_time: number('Seconds.'),
          ai_provider: maybeText('Null until it is settled who answers.'),
          model: maybeText('The model the step names; null when the default chain answers.'),
          progress_indicators: Type.Object({
            prompt_processed: Type.Boolean(),
            ai_response_streaming: Type.Boolean(),
            response_processing: Type.Boolean(),
            validation: Type.Boolean(),
          }),
          intermediate_output: maybeText('The end of what a model has said so far.'),
        },
        'Null when no step runs. Left out with include_details=false.',
      ),
    ),
    completed_steps: Type.Optional(
      Type.Array(
        Type.Object({
          step_id: Type.String(),
          step_type: Type.String(),
          status: Type.Enum(['completed', 'failed', 'skipped']),
          completed_at: integer('Epoch seconds.'),
          execution_time: number('Seconds.'),
          tokens_used: Type.Integer(),
          cost: number('Dollars.'),
          unpriced,
          item: Type.Optional(integer('Which of a batch, from 0.')),
        }),
        { description: 'Left out with include_details=false.' },
      ),
    ),
    upcoming_steps: Type.Optional(
      Type.Array(
        Type.Object({
          step_id: Type.String(),
          step_type: Type.String(),
          estimated_duration: maybeNumber('Seconds; null without any history.'),
          dependencies: Type.Array(Type.String()),
          items_remaining: Type.Optional(integer('In a batch: items that have it before them.')),
        }),
        { description: 'Left out with include_details=false.' },
      ),
    ),
    agent_activity: Type.Optional(
      Type.Array(DecisionPart, { description: 'Left out with include_details=false.' }),
    ),
    real_time_logs: Type.Optional(
      Type.Array(LogLinePart, { description: 'The last 50 lines. Left out with include_details=false.' }),
    ),
    shared_memory_state: Type.Optional(
      freeForm('What steps have left for others so far. Left out with include_memory=false.'),
    ),
    resource_usage: Type.Object({
      current_memory: number('Megabytes that context, memory and outputs take.'),
      peak_memory: number('Megabytes they took at most.'),
      cpu_usage: number('Percentage of the time in which steps computed on this server.'),
      active_connections: integer('Steps that talk to a model or an external API at this moment.'),
      ...QueuePart,
    }),
    cost_tracking: CostPart,
    performance_indicators: Type.Object({
      execution_health: text('healthy, degraded (a step failed or was tried again) or critical (it failed).'),
      step_success_rate: maybeNumber('Percentage; null before a step has run.'),
      average_step_time: maybeNumber('Seconds; null before a step has run.'),
      provider_response_times: numbersBy('Seconds on average, by provider.'),
    }),
    predictions: Type.Optional(
      Type.Object(
        {
          completion_confidence: maybeNumber('0 to 1, from executions before; null without any.'),
          estimated_final_cost: maybeNumber('Dollars; null without any history.'),
          estimated_from: maybeText(estimateSources),
          potential_issues: texts('Empty when the numbers show none.'),
          optimization_opportunities: texts('Empty when the numbers show none.'),
        },
        { description: 'Left out with include_predictions=false.' },
      ),
    ),
    approval: maybeText('pending, approved or rejected; null when no approval is required.'),
    error: StoredErrorPart,
    warnings: Type.Array(WarningPart),
  },
  { description: 'The status of an execution.' },
)
