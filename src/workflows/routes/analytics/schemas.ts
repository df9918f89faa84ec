import { type Static, Type } from 'typebox'
import { timeframes } from '#engine'
import { maybeNumber, maybeText } from '../../schemas/values.ts'

const count = (description?: string) => Type.Integer(description === undefined ? {} : { description })
const dollars = (description = 'Dollars.') => Type.Number({ description })
const moment = (description: string) => Type.Integer({ description: `${description} Epoch seconds.` })

const successRate = maybeNumber('Percent of completed and failed executions; null without any.')
const change = maybeNumber('Change in percent against the previous period; null without data to compare.')

const durations = {
  average_duration: maybeNumber('Average seconds of completed executions; null without any.'),
  median_duration: maybeNumber(
    'Seconds, from a histogram, accurate to a half; null without a completed one.',
  ),
  p95_duration: maybeNumber(
    'Seconds, the 95th percentile, as accurate as the median; null without a completed one.',
  ),
}

const quality = maybeNumber('Average quality of the measured texts, 0 to 100; null without any.')
const confidence = maybeNumber('Average confidence of outputs and decisions, 0 to 1; null without any.')

const Group = Type.Object({
  key: Type.String({ description: 'A flow, a type of step or a provider, by `group_by`.' }),
  count: count('Executions of the flow, steps of the type, or steps of the provider.'),
  success_rate: successRate,
  average_duration: durations.average_duration,
  tokens_used: count(),
  total_cost: dollars(),
  cost_share: maybeNumber('Percent of the total cost; null without costs.'),
})

const StepNamed = Type.Object({ step_id: Type.String(), step_type: Type.String(), value: Type.Number() })
const optionalStep = (description: string) => Type.Union([StepNamed, Type.Null()], { description })

const FlowPerformance = Type.Object({
  label: maybeText('The display name; null when the flow is deleted.'),
  executions: count(),
  completed: count(),
  failed: count(),
  cancelled: count(),
  success_rate: successRate,
  ...durations,
  average_queue_time: maybeNumber('Seconds; null when none started.'),
  total_cost: dollars(),
  average_cost: maybeNumber('Dollars per execution; null without a finished one.'),
  tokens_used: count(),
  average_cpu_time: maybeNumber('CPU seconds per execution; null without a finished one.'),
  average_peak_memory: maybeNumber('Bytes; null without a finished one.'),
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
  skipped: count('Skipped by conditions, routing or earlier failures.'),
  success_rate: successRate,
  ...durations,
  retries: count('Attempts after the first.'),
  total_cost: dollars(),
  tokens_used: count(),
  ai_calls: count(),
  network_requests: count(),
  quality_score: quality,
  average_confidence: confidence,
})

const answering = {
  steps: count('Steps it completed or failed.'),
  completed: count(),
  failed: count(),
  success_rate: successRate,
  calls: count('Calls, including those for decisions and retries.'),
  cache_hits: count('Cache hits among them.'),
  input_tokens: count(),
  output_tokens: count(),
  average_response_time: maybeNumber('Average seconds per call; null without calls.'),
  median_response_time: maybeNumber(
    'Seconds, from a histogram, accurate to a half; null without a completed one.',
  ),
  p95_response_time: maybeNumber(
    'Seconds, from a histogram, accurate to a half; null without a completed one.',
  ),
  total_cost: dollars(),
  quality_score: quality,
}

const ProviderAnalysis = Type.Object({
  ...answering,
  call_share: maybeNumber('Percent of all calls; null without calls.'),
  models: Type.Record(Type.String(), Type.Object(answering), { description: 'By model name.' }),
})

const Predictions = Type.Object(
  {
    method: Type.String({ description: 'The method of the forecast.' }),
    season_hours: count('The season in hours: a day, or a week with three weeks of history.'),
    based_on_hours: count('Hours of history.'),
    horizon_hours: count(),
    expected_executions: Type.Number({ description: 'Total of the predicted hours.' }),
    expected_cost: maybeNumber('Dollars over the predicted hours; null without costs.'),
    expected_failures: Type.Number({ description: 'By the failure rate of the history.' }),
    peak: Type.Object({ at: moment('The busiest predicted hour.'), executions: Type.Number() }),
    hourly: Type.Array(
      Type.Object({
        at: moment('The start of the hour.'),
        executions: Type.Number(),
        low: Type.Number({ description: 'The lower bound, which 95 % of hours should exceed.' }),
        high: Type.Number({ description: 'The upper bound, which 95 % of hours should not exceed.' }),
      }),
    ),
    confidence: Type.Number({
      description: '0 to 1: accuracy of the same forecast on past days.',
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
    from: moment('The start of the previous period.'),
    to: moment('The end of the previous period.'),
    executions: Compared,
    success_rate: Compared,
    average_duration: Compared,
    average_cost: Compared,
    total_cost: Compared,
  }),
  installation_median: Type.Object(
    {
      flows: count('Number of flows in the median.'),
      success_rate: maybeNumber('Percent; null without data.'),
      average_duration: maybeNumber('Seconds; null without data.'),
      average_cost: maybeNumber('Dollars; null without data.'),
    },
    { description: 'The medians of all flows that ran, regardless of the filter.' },
  ),
  flows: Type.Array(
    Type.Object({
      flow_id: Type.String(),
      success_rate_difference: maybeNumber('Percentage points above the median; null without data.'),
      duration_ratio: maybeNumber('Ratio to the median duration; null without data.'),
      cost_ratio: maybeNumber('Ratio to the median cost; null without data or when the median is 0.'),
    }),
  ),
})

const Alert = Type.Object({
  type: Type.String({ description: 'The rule that matched.' }),
  severity: Type.Enum(['info', 'warning', 'critical']),
  flow_id: maybeText('The affected flow; null when several are affected.'),
  provider: maybeText('The affected provider; null without one.'),
  metric: Type.String(),
  value: Type.Number(),
  threshold: Type.Number(),
  message: Type.String({ description: 'The finding.' }),
  recommendation: Type.String({ description: 'The recommended action.' }),
})

const Summary = Type.Object(
  {
    timeframe: Type.String(),
    period: Type.Object({
      from: moment('The start of the period.'),
      to: moment('The time of this response.'),
    }),
    total_executions: count('Finished executions.'),
    completed_executions: count(),
    failed_executions: count(),
    cancelled_executions: count(),
    success_rate: successRate,
    ...durations,
    average_queue_time: maybeNumber('Average seconds in the queue; null when none started.'),
    total_cost: dollars(),
    unpriced_executions: count(
      'Executions that called models without a known price: their cost is incomplete.',
    ),
    total_tokens: count(),
    total_ai_calls: count(),
    cache_hit_rate: maybeNumber('Cache hits in percent of model calls; null without calls.'),
    agent_decisions: count(),
    batch_executions: count('Executions with a batch.'),
    batch_items: count('Items of all batches.'),
    unique_flows: count('Flows that ran.'),
    active_users: count('Accounts with a finished execution.'),
    group_by: Type.String(),
    breakdown: Type.Array(Group, { description: 'The busiest first.' }),
    generated_at: moment('The time of this response.'),
  },
  { description: 'The summary of the period.' },
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
      { description: 'At most ten, the busiest first.' },
    ),
    popular_flows: Type.Array(
      Type.Object({
        flow_id: Type.String(),
        executions: count(),
        share: maybeNumber('Percent of all executions.'),
      }),
      { description: 'At most five, the busiest first.' },
    ),
    peak_hours: Type.Array(
      Type.Object({ hour: count('Hour of the day in UTC, 0 to 23.'), executions: count() }),
      {
        description: 'At most three, the busiest first.',
      },
    ),
    batch_share: maybeNumber('Batch executions in percent; null without executions.'),
  },
  { description: 'Usage by account, flow and time.' },
)

const CostAnalysis = Type.Object({
  total_cost: dollars(),
  average_cost_per_execution: maybeNumber('Null without a finished execution.'),
  cost_per_successful_execution: maybeNumber('Total cost per completed execution; null without any.'),
  cost_without_result: dollars('Dollars spent by executions that failed or were cancelled.'),
  previous_cost: dollars('Dollars of the previous period.'),
  cost_change: change,
  projected_monthly_cost: maybeNumber('Dollars in 30 days at this rate; null without a finished execution.'),
  unassigned_cost: dollars(
    'Dollars that are in `total_cost` and in no step type or provider: calls of steps that a recovery repeated, and calls that were open when their execution was cancelled or their process crashed.',
  ),
  unpriced_executions: count('Executions with an incomplete cost.'),
  most_expensive_flow: maybeText('Null without costs.'),
  most_expensive_provider: maybeText('Null without costs.'),
  cost_breakdown: Type.Union([Type.Array(Group), Type.Null()], {
    description: 'By `group_by`, the most expensive first; null unless requested.',
  }),
})

const Quality = Type.Object({
  overall_success_rate: successRate,
  step_success_rate: successRate,
  average_quality_score: quality,
  average_confidence: confidence,
  judged_outputs: count('Texts with a measured quality.'),
  retry_rate: maybeNumber('Retries in percent of all attempts; null when no step ran.'),
  failure_causes: Type.Array(
    Type.Object({ code: Type.String(), executions: count(), share: maybeNumber('Percent of all failures.') }),
    { description: 'The most frequent first.' },
  ),
})

export const Analytics = Type.Object(
  {
    analytics_summary: Summary,
    flow_performance: Type.Record(Type.String(), FlowPerformance, {
      description: 'By flow id, the busiest 200.',
    }),
    step_type_analysis: Type.Record(Type.String(), StepTypeAnalysis, { description: 'By step type.' }),
    provider_analysis: Type.Record(Type.String(), ProviderAnalysis, {
      description: 'By provider name.',
    }),
    user_behavior_insights: UserBehavior,
    cost_analysis: CostAnalysis,
    quality_metrics: Quality,
    predictions: Type.Union([Predictions, Type.Null()], {
      description: 'Null unless requested, and with less than three days of history.',
    }),
    benchmark_comparisons: Benchmarks,
    alert_recommendations: Type.Array(Alert, { description: 'Alerts and recommendations from these stats.' }),
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
