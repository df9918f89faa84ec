import { Type } from 'typebox'
import { integer, maybeInteger, maybeNumber, maybeText, number, text, texts } from '../../schemas/values.ts'

const numbersBy = (description: string) => Type.Record(Type.String(), Type.Number(), { description })

const Performance = Type.Object({
  avg_time: maybeNumber('Seconds, of the runs that completed; null when none did.'),
  success_rate: maybeNumber('Percent of the runs; null when there were none.'),
  executions_24h: integer('Steps of executions that ended in the last 24 hours which this agent did.'),
  error_rate: maybeNumber('Percent of the runs; null when there were none.'),
  avg_tokens: maybeNumber('Read and written by models for a run; null when there were none.'),
  confidence_score: maybeNumber('Average of 0 to 1; null when nothing had one.'),
})

const Usage = Type.Object({
  most_used_agent: maybeText('Null when none worked.'),
  usage_distribution: numbersBy('Percent of all runs, by the id of the agent, the busiest first.'),
  peak_usage_hours: Type.Array(Type.Integer(), {
    description:
      'Hours of the day in UTC, 0 to 23, in which most was done in the last 24; three at most, the busiest first.',
  }),
  least_used_agent: maybeText('Of those that worked; null when none did.'),
})

const Costs = Type.Object({
  total_cost_24h: number('Dollars, for models and for the agents themselves.'),
  cost_per_execution: maybeNumber('Dollars for a run of an agent; null when there were none.'),
  most_expensive_agent: maybeText('On which most was spent; null when nothing cost anything.'),
  cost_breakdown: numbersBy('Dollars by the id of the agent, the dearest first.'),
  cost_trends: Type.Object({
    '24h_change': maybeText(
      'Percent with its sign against the 24 hours before, such as `+12.5%`; null when these cost nothing.',
    ),
    '7d_average': maybeNumber(
      'Dollars a day in the last seven, or since anything is known; null when nothing is.',
    ),
    projected_monthly: maybeNumber('Dollars in the next 30 days; null when nothing is known.'),
    projection_method: maybeText(
      '`seasonal_smoothing`: exponential smoothing with seasons of a day, or of a week once three are known, over the hours of the last four weeks. `daily_average`: thirty times `7d_average`, with less than three days of history.',
    ),
    projection_confidence: maybeNumber(
      '0 to 1: how far forecasts of the known days were off; null of an average.',
    ),
  }),
})

const Patterns = Type.Object({
  peak_hours: numbersBy(
    'Runs of the last four weeks by the hour of the day in UTC, such as `09:00`; the three busiest.',
  ),
  common_workflows: numbersBy(
    'Executions of the last 24 hours by workflow, of those in which these agents work; the ten busiest.',
  ),
  failure_patterns: Type.Record(
    Type.String(),
    Type.Object({
      executions: integer('That failed with this code in the last 24 hours.'),
      share: number('Percent of all failures.'),
      workflows: texts('Where it happened, the most frequent first.'),
    }),
    { description: 'By the code of the error, of the same workflows; the most frequent first.' },
  ),
  seasonal_trends: Type.Object({
    weekday_avg: maybeNumber(
      'Runs on a day from Monday to Friday, of the days that are over in the last four weeks; null without any.',
    ),
    weekend_avg: maybeNumber('Runs on a Saturday or Sunday, likewise.'),
    monthly_pattern: numbersBy('Runs by month, such as `2026-11`, of the last twelve.'),
  }),
})

const Scores = Type.Object(
  { scoring_criteria: texts('What scores are made of.') },
  {
    additionalProperties: { type: 'number', nullable: true },
    description:
      'By the id of the agent, 0 to 1, from what it did in the last 24 hours; null of those that did nothing. Null as a whole unless asked for.',
  },
)

export const AgentAnalytics = Type.Object(
  {
    analytics: Type.Object({
      performance_metrics: Type.Record(Type.String(), Performance, {
        description: 'By the id of the agent: all there are, and those that worked.',
      }),
      usage_statistics: Usage,
      cost_analysis: Type.Union([Costs, Type.Null()], { description: 'Null unless asked for.' }),
      recommendation_scores: Type.Union([Scores, Type.Null()]),
      execution_patterns: Patterns,
    }),
    timestamp: integer('When this was read, epoch seconds.'),
    data_freshness: maybeInteger(
      'Seconds since everything that had ended was known to be counted; null when that is not known yet.',
    ),
    cache_status: text(
      '`fresh`: the sums hold everything that had ended. `stale`: so much ended at once that adding it up takes longer.',
    ),
  },
  { description: 'How agents do, what they cost, and when they work.' },
)
