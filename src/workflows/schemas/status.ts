import { Type } from 'typebox'
import { GatePart, SuspensionPart } from '#executions-api'
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
  'queued, awaiting_approval, awaiting_capacity, awaiting_flow_limit, starting, ai_processing, evaluating_conditions, calling_api, transforming_data, waiting, between_steps, cancelling, completed, failed or cancelled.'

export const StatusBody = Type.Object(
  {
    execution_id: Type.String(),
    flow_id: Type.String(),
    flow_version: Type.Integer(),
    status: Type.Enum([...executionStates]),
    current_phase: text(phases),
    progress: Type.Object({
      overall_percentage: number('Percentage of finished steps.'),
      current_step: maybeText('The step that has run longest; null when no step runs.'),
      current_step_progress: maybeNumber(
        'Percentage by the usual duration of the step, else by its phase; null when neither is known.',
      ),
      steps_completed: integer('Finished steps, including skipped ones.'),
      steps_remaining: Type.Integer(),
      steps_total: integer('Number of steps; in a batch of all items.'),
    }),
    timing: Type.Object({
      started_at: maybeInteger('Epoch seconds; null before the start.'),
      current_time: integer('Epoch seconds.'),
      elapsed_time: number('Seconds in which workers ran the execution so far.'),
      estimated_completion: maybeInteger('Epoch seconds; null without history.'),
      estimated_remaining: maybeNumber('Seconds; null without history.'),
      last_activity: integer('Epoch seconds of the last event.'),
    }),
    current_step_details: Type.Optional(
      maybePart(
        {
          step_id: Type.String(),
          step_type: Type.String(),
          status: Type.Literal('processing'),
          started_at: integer('Epoch seconds.'),
          elapsed_time: number('Seconds.'),
          ai_provider: maybeText('The provider; null until it is selected.'),
          model: maybeText('The model that the step names; null for the default chain.'),
          progress_indicators: Type.Object({
            prompt_processed: Type.Boolean(),
            ai_response_streaming: Type.Boolean(),
            response_processing: Type.Boolean(),
            validation: Type.Boolean(),
          }),
          intermediate_output: maybeText('The last part of the model output so far.'),
        },
        'The running step; null when no step runs. Omitted with `include_details=false`.',
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
          item: Type.Optional(integer('The index of the batch item, from 0.')),
        }),
        { description: 'Omitted with `include_details=false`.' },
      ),
    ),
    upcoming_steps: Type.Optional(
      Type.Array(
        Type.Object({
          step_id: Type.String(),
          step_type: Type.String(),
          estimated_duration: maybeNumber('Seconds; null without history.'),
          dependencies: Type.Array(Type.String()),
          items_remaining: Type.Optional(integer('In a batch: items that have not run the step yet.')),
        }),
        { description: 'Omitted with `include_details=false`.' },
      ),
    ),
    agent_activity: Type.Optional(
      Type.Array(DecisionPart, { description: 'Omitted with `include_details=false`.' }),
    ),
    real_time_logs: Type.Optional(
      Type.Array(LogLinePart, {
        description: 'The last 50 log entries. Omitted with `include_details=false`.',
      }),
    ),
    shared_memory_state: Type.Optional(
      freeForm('The shared memory so far. Omitted with `include_memory=false`.'),
    ),
    resource_usage: Type.Object({
      current_memory: number('Size of context, memory and outputs in megabytes.'),
      peak_memory: number('Peak size in megabytes.'),
      cpu_usage: number('CPU time of steps on this server, in percent of the elapsed time.'),
      active_connections: integer('Steps with an open call to a model or an external API.'),
      ...QueuePart,
    }),
    cost_tracking: CostPart,
    performance_indicators: Type.Object({
      execution_health: text(
        '`healthy`, `degraded` (a step failed or was retried) or `critical` (the execution failed).',
      ),
      step_success_rate: maybeNumber('Percentage; null before a step has run.'),
      average_step_time: maybeNumber('Seconds; null before a step has run.'),
      provider_response_times: numbersBy('Seconds on average, by provider.'),
    }),
    predictions: Type.Optional(
      Type.Object(
        {
          completion_confidence: maybeNumber('0 to 1, from past executions; null without any.'),
          estimated_final_cost: maybeNumber('Dollars; null without history.'),
          estimated_from: maybeText(estimateSources),
          potential_issues: texts('Empty when none was found.'),
          optimization_opportunities: texts('Empty when none was found.'),
        },
        { description: 'Omitted with `include_predictions=false`.' },
      ),
    ),
    suspended: SuspensionPart,
    gated: GatePart,
    approval: maybeText('pending, approved or rejected; null when no approval is required.'),
    error: StoredErrorPart,
    warnings: Type.Array(WarningPart),
  },
  { description: 'The status of an execution.' },
)
