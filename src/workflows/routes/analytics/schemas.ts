import { type Static, Type } from 'typebox'
import { timeframes } from '#engine'
import { maybeNumber, maybeText } from '../../schemas/values.ts'

const count = (description?: string) => Type.Integer(description === undefined ? {} : { description })
const dollars = (description = 'Dollars.') => Type.Number({ description })
const moment = (description: string) => Type.Integer({ description: `${description} Epoch seconds.` })

const successRate = maybeNumber('Percent of those that completed or failed; null when none did.')
const change = maybeNumber('Percent against the time before; null when there was nothing to compare with.')

const durations = {
  average_duration: maybeNumber('Seconds, of the completed ones; null when none completed.'),
  median_duration: maybeNumber(
    'Seconds, from counts between fixed bounds, so off by up to a half; null when none completed.',
  ),
  p95_duration: maybeNumber(
    'Seconds that 95 of 100 stayed below, as exact as the median; null when none completed.',
  ),
}

const quality = maybeNumber('Average of 0 to 100 of measured texts; null without any.')
const confidence = maybeNumber('Average of 0 to 1 where answers or decisions had one; null when none had.')

const Group = Type.Object({
  key: Type.String({ description: 'A flow, a type of step or a provider, by `group_by`.' }),
  count: count('Executions of a flow, steps of a type, steps answered or failed by a provider.'),
  success_rate: successRate,
  average_duration: durations.average_duration,
  tokens_used: count(),
  total_cost: dollars(),
  cost_share: maybeNumber('Percent of all cost; null when nothing cost anything.'),
})

const StepNamed = Type.Object({ step_id: Type.String(), step_type: Type.String(), value: Type.Number() })
const optionalStep = (description: string) => Type.Union([StepNamed, Type.Null()], { description })

const FlowPerformance = Type.Object({
  label: maybeText('What people call it; null when the flow is gone.'),
  executions: count(),
  completed: count(),
  failed: count(),
  cancelled: count(),
  success_rate: successRate,
  ...durations,
  average_queue_time: maybeNumber('Seconds; null when none began.'),
  total_cost: dollars(),
  average_cost: maybeNumber('Dollars for each execution; null when none ended.'),
  tokens_used: count(),
  average_cpu_time: maybeNumber('Seconds computed here for each execution; null when none ended.'),
  average_peak_memory: maybeNumber('Bytes; null when none ended.'),
  quality_score: quality,
  average_confidence: confidence,
  trend: change,
  slowest_step: optionalStep('The step with the longest average, in seconds; null without steps.'),
  most_failing_step: optionalStep('The step that failed most often, as a count; null when none failed.'),
})

const StepTypeAnalysis = Type.Object({
  steps_executed: count('Completed or failed.'),
  completed: count(),
  failed: count(),
  skipped: count('Left out by conditions, routing or failures before them.'),
  success_rate: successRate,
  ...durations,
  retries: count('Tries after the first.'),
  total_cost: dollars(),
  tokens_used: count(),
  ai_calls: count(),
  network_requests: count(),
  quality_score: quality,
  average_confidence: confidence,
})

const answering = {
  steps: count('Steps it answered or failed.'),
  completed: count(),
  failed: count(),
  success_rate: successRate,
  calls: count('Calls, those for decisions and further tries too.'),
  cache_hits: count('Of these, answered from memory.'),
  input_tokens: count(),
  output_tokens: count(),
  average_response_time: maybeNumber('Seconds for a call; null when there was none.'),
  median_response_time: maybeNumber(
    'Seconds, from counts between fixed bounds, so off by up to a half; null when none completed.',
  ),
  p95_response_time: maybeNumber(
    'Seconds, from counts between fixed bounds, so off by up to a half; null when none completed.',
  ),
  total_cost: dollars(),
  quality_score: quality,
}

const ProviderAnalysis = Type.Object({
  ...answering,
  call_share: maybeNumber('Percent of all calls; null when there were none.'),
  models: Type.Record(Type.String(), Type.Object(answering), { description: 'By the name of the model.' }),
})

const Predictions = Type.Object(
  {
    method: Type.String({ description: 'How it was made.' }),
    season_hours: count('After how many hours habits repeat: a day, or with three weeks of history a week.'),
    based_on_hours: count('Hours of history.'),
    horizon_hours: count(),
    expected_executions: Type.Number({ description: 'Over all hours ahead.' }),
    expected_cost: maybeNumber('Dollars over all hours ahead; null when nothing cost anything.'),
    expected_failures: Type.Number({ description: 'At the rate of failures in the history.' }),
    peak: Type.Object({ at: moment('The busiest hour ahead.'), executions: Type.Number() }),
    hourly: Type.Array(
      Type.Object({
        at: moment('Begin of the hour.'),
        executions: Type.Number(),
        low: Type.Number({ description: 'Nineteen of twenty hours should have at least this many.' }),
        high: Type.Number({ description: 'Nineteen of twenty hours should have at most this many.' }),
      }),
    ),
    confidence: Type.Number({
      description: '0 to 1: how near forecasts of past days, made the same way, came to what happened.',
    }),
  },
  {
    description:
      'The next 24 hours, by exponential smoothing with seasons over the hours of the last four weeks.',
  },
)

const Compared = Type.Object({
  current: maybeNumber('Null without data.'),
  previous: maybeNumber('Null without data.'),
  change,
})

const Benchmarks = Type.Object({
  previous_period: Type.Object({
    from: moment('Begin of the time before.'),
    to: moment('Its end.'),
    executions: Compared,
    success_rate: Compared,
    average_duration: Compared,
    average_cost: Compared,
    total_cost: Compared,
  }),
  installation_median: Type.Object(
    {
      flows: count('How many flows it is the median of.'),
      success_rate: maybeNumber('Percent; null without data.'),
      average_duration: maybeNumber('Seconds; null without data.'),
      average_cost: maybeNumber('Dollars; null without data.'),
    },
    { description: 'The middle of all flows here that ran, whichever were asked for.' },
  ),
  flows: Type.Array(
    Type.Object({
      flow_id: Type.String(),
      success_rate_difference: maybeNumber('Points of percent above the median; null without data.'),
      duration_ratio: maybeNumber('1: as long as the median; null without data.'),
      cost_ratio: maybeNumber('1: as dear as the median; null without data, or when the median is free.'),
    }),
  ),
})

const Alert = Type.Object({
  type: Type.String({ description: 'The rule that holds.' }),
  severity: Type.Enum(['info', 'warning', 'critical']),
  flow_id: maybeText('The flow it is about; null when it is about more.'),
  provider: maybeText('The provider it is about; null when it is about none.'),
  metric: Type.String(),
  value: Type.Number(),
  threshold: Type.Number(),
  message: Type.String({ description: 'What was found.' }),
  recommendation: Type.String({ description: 'What to do about it.' }),
})

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
    average_queue_time: maybeNumber('Seconds between being asked for and beginning; null when none began.'),
    total_cost: dollars(),
    unpriced_executions: count('Those that asked models without a known price: their cost is not complete.'),
    total_tokens: count(),
    total_ai_calls: count(),
    cache_hit_rate: maybeNumber('Percent of model calls answered from memory; null when there were none.'),
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
    executions_per_user: maybeNumber('Null without executions.'),
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
      Type.Object({ flow_id: Type.String(), executions: count(), share: maybeNumber('Percent of all.') }),
      { description: 'Five at most, the busiest first.' },
    ),
    peak_hours: Type.Array(
      Type.Object({ hour: count('Hour of the day in UTC, 0 to 23.'), executions: count() }),
      {
        description: 'Three at most, the busiest first.',
      },
    ),
    batch_share: maybeNumber('Percent of executions with several items; null when there were none.'),
  },
  { description: 'Who runs what, and when.' },
)

const CostAnalysis = Type.Object({
  total_cost: dollars(),
  average_cost_per_execution: maybeNumber('Null when none ended.'),
  cost_per_successful_execution: maybeNumber('All cost by those that completed; null when none did.'),
  cost_without_result: dollars('Dollars spent by executions that failed or were cancelled.'),
  previous_cost: dollars('Dollars of the time before.'),
  cost_change: change,
  projected_monthly_cost: maybeNumber('Dollars in 30 days at this pace; null when nothing ended.'),
  unpriced_executions: count('Those whose cost is not complete.'),
  most_expensive_flow: maybeText('Null when nothing cost anything.'),
  most_expensive_provider: maybeText('Null when nothing cost anything.'),
  cost_breakdown: Type.Union([Type.Array(Group), Type.Null()], {
    description: 'By `group_by`, the dearest first; null unless asked for.',
  }),
})

const Quality = Type.Object({
  overall_success_rate: successRate,
  step_success_rate: successRate,
  average_quality_score: quality,
  average_confidence: confidence,
  judged_outputs: count('Texts with a measured quality.'),
  retry_rate: maybeNumber('Percent of tries that were not the first; null when no step ran.'),
  failure_causes: Type.Array(
    Type.Object({ code: Type.String(), executions: count(), share: maybeNumber('Percent of all failures.') }),
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
  { description: 'Performance and cost of flows.' },
)

const groupings = ['flow', 'step_type', 'provider'] as const
export type Grouping = (typeof groupings)[number]

const maxFlows = 50

export const AnalyticsQuery = Type.Object(
  {
    timeframe: Type.Enum([...timeframes], {
      default: '24h',
      description: 'The period up to now. It is compared with the previous period of the same length.',
    }),
    flow_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: maxFlows,
        description: 'Flow ids, repeated or separated by commas. Default: all.',
      }),
    ),
    include_predictions: Type.Boolean({
      default: true,
      description: 'Whether to return `predictions`; else it is null.',
    }),
    group_by: Type.Enum([...groupings], {
      default: 'flow',
      description: 'The grouping of `analytics_summary.breakdown` and `cost_analysis.cost_breakdown`.',
    }),
    include_cost_breakdown: Type.Boolean({
      default: true,
      description: 'Whether to return `cost_analysis.cost_breakdown`; else it is null.',
    }),
  },
  { additionalProperties: false },
)

export type AnalyticsQuery = Static<typeof AnalyticsQuery>
