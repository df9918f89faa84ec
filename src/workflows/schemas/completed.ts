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

/** All about an execution that is over. */
export const CompletedBody = Type.Object(
  {
    success: flag('Whether it completed.'),
    execution_id: Type.String(),
    status: Type.Enum([...executionStates]),
    execution_summary: Type.Object({
      flow_id: Type.String(),
      flow_version: integer('The version that ran.'),
      steps_executed: integer('Steps that ran, whatever became of them; in a batch over all items.'),
      steps_skipped: Type.Integer(),
      execution_time: number(
        'Seconds in which workers executed it. Neither waiting in the queue nor the time before a recovery counts.',
      ),
      total_cost: number('Dollars.'),
      unpriced,
      success_rate: maybeNumber('Percentage of the steps that ran and succeeded; null when none ran.'),
      agent_decisions_made: Type.Integer(),
    }),
    result: anything(
      'What came out: the output of the last step, or by id those of all steps nothing comes after. In a batch a list by item.',
    ),
    step_results: Type.Record(Type.String(), StepResultPart, {
      description: 'By step id. Steps that were skipped are in `skipped_steps`.',
    }),
    skipped_steps: Type.Array(Type.Object({ step: Type.String(), reason: Type.String() })),
    shared_memory: freeForm('What steps left for others. In a batch each key has a list by item.'),
    agent_decisions: Type.Array(DecisionPart),
    performance_metrics: Type.Object({
      total_execution_time: number('The same as `execution_time`.'),
      ai_processing_time: number('Seconds that models took, added up; steps may run side by side.'),
      api_call_time: number('Seconds that calls of external APIs took, added up.'),
      data_processing_time: number('Seconds that steps computed on this server.'),
      total_ai_calls: integer('Calls of models. Those answered from the cache are not among them.'),
      total_tokens_used: Type.Integer(),
      total_cost: number('Dollars.'),
      unpriced,
      cache_hits: integer('Calls that were answered from the cache.'),
      provider_distribution: numbersBy('Percentage of steps by the provider that answered them.'),
    }),
    resource_utilization: Type.Object({
      peak_memory_usage: maybeNumber('Megabytes that context, memory and outputs took at most.'),
      cpu_time: number('Seconds that steps computed on this server.'),
      network_requests: integer('Requests to external APIs.'),
      cache_operations: integer('How often the cache of answers was asked.'),
    }),
    quality_metrics: Type.Object({
      overall_success_rate: number('Percentage: 100 or 0, and in a batch that of its items.'),
      step_success_rate: maybeNumber('Percentage of the steps that ran; null when none did.'),
      agent_confidence_avg: maybeNumber('0 to 1; null without a decision that has one.'),
      output_quality_score: maybeNumber('0 to 100, of the texts that were measured; null when none was.'),
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
        details: freeForm('The same as in the error that a caller who waits gets.'),
        recovery_options: Type.Optional(RecoveryOptions),
      },
      'Why it did not complete; null when it did.',
    ),
    forked_from: maybeText('The execution it was forked from.'),
    callback_info: Type.Optional(CallbackPart),
    warnings: Type.Array(WarningPart),
    recommendations: texts('What its numbers show could be better; empty when they show nothing.'),
    timestamp: integer('Epoch seconds at which this was told.'),
  },
  { description: 'All about an execution that is over.' },
)
