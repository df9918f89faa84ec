import { Type } from 'typebox'
import { integer, maybeInteger, maybeNumber, maybeText, number, text, texts } from '../../schemas/values.ts'

const numbersBy = (description: string) => Type.Record(Type.String(), Type.Number(), { description })

const Performance = Type.Object({
  avg_time: maybeNumber('Average seconds of completed runs; null without one.'),
  success_rate: maybeNumber('Percent of the runs; null without runs.'),
  executions_24h: integer('Steps of this agent in executions that finished in the last 24 hours.'),
  error_rate: maybeNumber('Percent of the runs; null without runs.'),
  avg_tokens: maybeNumber('Average input and output tokens per run; null without runs.'),
  confidence_score: maybeNumber('Average, 0 to 1; null without a confidence.'),
})

const Usage = Type.Object({
  most_used_agent: maybeText('Null without runs.'),
  usage_distribution: numbersBy('Percent of all runs by agent id, the busiest first.'),
  peak_usage_hours: Type.Array(Type.Integer(), {
    description:
      'The busiest hours of the day in UTC, 0 to 23, in the last 24 hours; at most three, the busiest first.',
  }),
  least_used_agent: maybeText('Of the agents with runs; null without runs.'),
})

const Costs = Type.Object({
  total_cost_24h: number('Dollars for models and surcharges.'),
  cost_per_execution: maybeNumber('Dollars per run; null without runs.'),
  most_expensive_agent: maybeText('The agent with the highest cost; null without costs.'),
  cost_breakdown: numbersBy('Dollars by agent id, the most expensive first.'),
  cost_trends: Type.Object({
    '24h_change': maybeText(
      'Change in percent against the previous 24 hours, such as `+12.5%`; null if they had no cost.',
    ),
    '7d_average': maybeNumber(
      'Dollars per day in the last seven days, or since the first known day; null without data.',
    ),
    projected_monthly: maybeNumber('Dollars in the next 30 days; null without data.'),
    projection_method: maybeText(
      '`seasonal_smoothing`: exponential smoothing with seasons of a day, or of a week once three are known, over the hours of the last four weeks. `daily_average`: thirty times `7d_average`, with less than three days of history.',
    ),
    projection_confidence: maybeNumber(
      '0 to 1: how close forecasts of known days were; null for an average.',
    ),
  }),
})

const Patterns = Type.Object({
  peak_hours: numbersBy(
    'Runs of the last four weeks by the hour of the day in UTC, such as `09:00`; the three busiest.',
  ),
  common_workflows: numbersBy(
    'Executions of the last 24 hours by workflow with these agents; the ten busiest.',
  ),
  failure_patterns: Type.Record(
    Type.String(),
    Type.Object({
      executions: integer('Executions that failed with this code in the last 24 hours.'),
      share: number('Percent of all failures.'),
      workflows: texts('The affected workflows, the most frequent first.'),
    }),
    { description: 'By error code, of the same workflows; the most frequent first.' },
  ),
  seasonal_trends: Type.Object({
    weekday_avg: maybeNumber(
      'Runs per day from Monday to Friday, in the complete days of the last four weeks; null without any.',
    ),
    weekend_avg: maybeNumber('Runs per Saturday and Sunday, likewise.'),
    monthly_pattern: numbersBy('Runs by month, such as `2026-11`, of the last twelve.'),
  }),
})

const Scores = Type.Object(
  { scoring_criteria: texts('The factors of the scores.') },
  {
    additionalProperties: { type: 'number', nullable: true },
    description:
      'By agent id, 0 to 1, from the runs of the last 24 hours; null for agents without runs. Null as a whole unless requested.',
  },
)

export const AgentAnalytics = Type.Object(
  {
    analytics: Type.Object({
      performance_metrics: Type.Record(Type.String(), Performance, {
        description: 'By agent id: all agents, and deleted ones with runs.',
      }),
      usage_statistics: Usage,
      cost_analysis: Type.Union([Costs, Type.Null()], { description: 'Null unless requested.' }),
      recommendation_scores: Type.Union([Scores, Type.Null()]),
      execution_patterns: Patterns,
    }),
    timestamp: integer('When this was read, epoch seconds.'),
    data_freshness: maybeInteger(
      'Seconds since all finished executions were known to be counted; null when that is not known yet.',
    ),
    cache_status: text(
      '`fresh`: all finished executions are counted. `stale`: so many finished at once that counting takes longer.',
    ),
  },
  { description: 'Performance, usage and cost of agents.' },
)
