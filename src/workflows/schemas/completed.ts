import { Type } from 'typebox'
import { RecoveryOptions } from './error.ts'
import { CallbackPart, DecisionPart, StepResultPart, WarningPart } from './parts.ts'
import {
  anything,
  executionStates,
  flag,
  freeForm,
  integer,
  maybeNumber,
  maybePart,
  maybeText,
  number,
  numbersBy,
  texts,
  unpriced,
} from './values.ts'

/** The schema of a finished execution. */
export const CompletedBody = Type.Object(
  {
    success: flag('Whether the execution completed.'),
    execution_id: Type.String(),
    status: Type.Enum([...executionStates]),
    execution_summary: Type.Object({
      flow_id: Type.String(),
      flow_version: integer('The version that ran.'),
      steps_executed: integer('Steps that ran, including failed ones; in a batch over all items.'),
      steps_skipped: Type.Integer(),
      execution_time: number(
        'Seconds in which workers ran the execution, without the time in the queue and before a recovery.',
      ),
      total_cost: number('Dollars.'),
      unpriced,
      success_rate: maybeNumber('Percentage of the steps that ran and succeeded; null when none ran.'),
      agent_decisions_made: Type.Integer(),
    }),
    result: anything(
      'The output of the last step, or the outputs of all final steps by step id. In a batch a list by item.',
    ),
    step_results: Type.Record(Type.String(), StepResultPart, {
      description: 'Results by step id. Skipped steps are in `skipped_steps`.',
    }),
    skipped_steps: Type.Array(Type.Object({ step: Type.String(), reason: Type.String() })),
    shared_memory: freeForm('The shared memory at the end. In a batch each key has a list by item.'),
    agent_decisions: Type.Array(DecisionPart),
    performance_metrics: Type.Object({
      total_execution_time: number('The same as `execution_time`.'),
      ai_processing_time: number('Total seconds of model calls; steps may run in parallel.'),
      api_call_time: number('Total seconds of calls to external APIs.'),
      data_processing_time: number('CPU seconds of steps on this server.'),
      total_ai_calls: integer('Model calls without cache hits.'),
      total_tokens_used: Type.Integer(),
      total_cost: number('Dollars.'),
      unpriced,
      cache_hits: integer('Model calls answered from the cache.'),
      provider_distribution: numbersBy('Percentage of steps by provider.'),
    }),
    resource_utilization: Type.Object({
      peak_memory_usage: maybeNumber('Peak size of context, memory and outputs in megabytes.'),
      cpu_time: number('CPU seconds of steps on this server.'),
      network_requests: integer('Requests to external APIs.'),
      cache_operations: integer('Lookups in the response cache.'),
    }),
    quality_metrics: Type.Object({
      overall_success_rate: number('100 or 0; in a batch the percentage of succeeded items.'),
      step_success_rate: maybeNumber('Percentage of the steps that ran and succeeded; null when none ran.'),
      agent_confidence_avg: maybeNumber('Average confidence of agent decisions, 0 to 1; null without one.'),
      output_quality_score: maybeNumber(
        'Average quality of the measured texts, 0 to 100; null when none was measured.',
      ),
    }),
    execution_timeline: Type.Array(
      Type.Object({
        step: Type.String(),
        started_at: integer('Epoch seconds.'),
        completed_at: integer('Epoch seconds.'),
        duration: number('Seconds.'),
      }),
      { description: 'In the order the steps ended.' },
    ),
    batch: maybePart(
      { items_total: Type.Integer(), items_succeeded: Type.Integer(), items_failed: Type.Integer() },
      'Null without a batch.',
    ),
    error: maybePart(
      {
        code: Type.String(),
        message: Type.String(),
        details: freeForm('The same details as in the error response of a synchronous request.'),
        recovery_options: Type.Optional(RecoveryOptions),
      },
      'The error of a failed or cancelled execution; null for a completed one.',
    ),
    forked_from: maybeText('The execution it was forked from.'),
    rerun_of: maybeText('The execution it runs again.'),
    callback_info: Type.Optional(CallbackPart),
    warnings: Type.Array(WarningPart),
    recommendations: texts('Possible improvements found in the stats of the execution.'),
    timestamp: integer('Epoch seconds of this response.'),
  },
  { description: 'A finished execution with its results and stats.' },
)
