import { Type } from 'typebox'
import {
  change,
  confidence,
  count,
  dollars,
  durations,
  Group,
  moment,
  optional,
  optionalText,
  quality,
  successRate,
} from './field-shapes.ts'
import { Alert, Benchmarks, Predictions } from './outlook-shapes.ts'
import { FlowPerformance, ProviderAnalysis, StepTypeAnalysis } from './performance-shapes.ts'

const Summary = Type.Object(
  {
    timeframe: Type.String(),
    period: Type.Object({
      from: moment('First second that counts.'),
      to: moment('When this was read.'),
    }),
    total_executions: count('Executions that ended.'),
    completed_executions: count(),
    failed_executions: count(),
    cancelled_executions: count(),
    success_rate: successRate,
    ...durations,
    average_queue_time: optional('Seconds between being asked for and beginning; null when none began.'),
    total_cost: dollars(),
    unpriced_executions: count('Those that asked models without a known price: their cost is not complete.'),
    total_tokens: count(),
    total_ai_calls: count(),
    cache_hit_rate: optional('Percent of model calls answered from memory; null when there were none.'),
    agent_decisions: count(),
    batch_executions: count('Executions with several items.'),
    batch_items: count('Items of all batches.'),
    unique_flows: count('Flows that ran.'),
    active_users: count('Accounts whose executions ended.'),
    group_by: Type.String(),
    breakdown: Type.Array(Group, { description: 'The busiest first.' }),
    generated_at: moment('When this was read.'),
  },
  { description: 'All of it in few numbers.' },
)

const UserBehavior = Type.Object(
  {
    active_users: count(),
    returning_users: count('Accounts with more than one execution.'),
    executions_per_user: optional('Null when nobody ran anything.'),
    most_active_users: Type.Array(
      Type.Object({
        account_id: Type.String(),
        executions: count(),
        success_rate: successRate,
        total_cost: dollars(),
      }),
      { description: 'Ten at most, the busiest first.' },
    ),
    popular_flows: Type.Array(
      Type.Object({ flow_id: Type.String(), executions: count(), share: optional('Percent of all.') }),
      { description: 'Five at most, the busiest first.' },
    ),
    peak_hours: Type.Array(
      Type.Object({ hour: count('Hour of the day in UTC, 0 to 23.'), executions: count() }),
      {
        description: 'Three at most, the busiest first.',
      },
    ),
    batch_share: optional('Percent of executions with several items; null when there were none.'),
  },
  { description: 'Who runs what, and when.' },
)

const CostAnalysis = Type.Object({
  total_cost: dollars(),
  average_cost_per_execution: optional('Null when none ended.'),
  cost_per_successful_execution: optional('All cost by those that completed; null when none did.'),
  cost_without_result: dollars('Dollars spent by executions that failed or were cancelled.'),
  previous_cost: dollars('Dollars of the time before.'),
  cost_change: change,
  projected_monthly_cost: optional('Dollars in 30 days at this pace; null when nothing ended.'),
  unpriced_executions: count('Those whose cost is not complete.'),
  most_expensive_flow: optionalText('Null when nothing cost anything.'),
  most_expensive_provider: optionalText('Null when nothing cost anything.'),
  cost_breakdown: Type.Union([Type.Array(Group), Type.Null()], {
    description: 'By `group_by`, the dearest first; null unless asked for.',
  }),
})

const Quality = Type.Object({
  overall_success_rate: successRate,
  step_success_rate: successRate,
  average_quality_score: quality,
  average_confidence: confidence,
  judged_outputs: count('Texts that were judged.'),
  retry_rate: optional('Percent of tries that were not the first; null when no step ran.'),
  failure_causes: Type.Array(
    Type.Object({ code: Type.String(), executions: count(), share: optional('Percent of all failures.') }),
    { description: 'The most frequent first.' },
  ),
})

export const Analytics = Type.Object(
  {
    analytics_summary: Summary,
    flow_performance: Type.Record(Type.String(), FlowPerformance, {
      description: 'By the id of the flow, the busiest 200.',
    }),
    step_type_analysis: Type.Record(Type.String(), StepTypeAnalysis, { description: 'By the type of step.' }),
    provider_analysis: Type.Record(Type.String(), ProviderAnalysis, {
      description: 'By the name of the provider.',
    }),
    user_behavior_insights: UserBehavior,
    cost_analysis: CostAnalysis,
    quality_metrics: Quality,
    predictions: Type.Union([Predictions, Type.Null()], {
      description: 'Null unless asked for, and with less than three days of history.',
    }),
    benchmark_comparisons: Benchmarks,
    alert_recommendations: Type.Array(Alert, { description: 'What follows from these numbers.' }),
  },
  { description: 'How flows run and what they cost.' },
)
