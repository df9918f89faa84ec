import { Type } from 'typebox'
import { change, count, moment, optional, optionalText } from './field-shapes.ts'

export const Predictions = Type.Object(
  {
    method: Type.String({ description: 'How it was made.' }),
    season_hours: count('After how many hours habits repeat: a day, or with three weeks of history a week.'),
    based_on_hours: count('Hours of history.'),
    horizon_hours: count(),
    expected_executions: Type.Number({ description: 'Over all hours ahead.' }),
    expected_cost: optional('Dollars over all hours ahead; null when nothing cost anything.'),
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
  current: optional('Null without data.'),
  previous: optional('Null without data.'),
  change,
})

export const Benchmarks = Type.Object({
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
      success_rate: optional('Percent; null without data.'),
      average_duration: optional('Seconds; null without data.'),
      average_cost: optional('Dollars; null without data.'),
    },
    { description: 'The middle of all flows here that ran, whichever were asked for.' },
  ),
  flows: Type.Array(
    Type.Object({
      flow_id: Type.String(),
      success_rate_difference: optional('Points of percent above the median; null without data.'),
      duration_ratio: optional('1: as long as the median; null without data.'),
      cost_ratio: optional('1: as dear as the median; null without data, or when the median is free.'),
    }),
  ),
})

export const Alert = Type.Object({
  type: Type.String({ description: 'The rule that holds.' }),
  severity: Type.Enum(['info', 'warning', 'critical']),
  flow_id: optionalText('The flow it is about; null when it is about more.'),
  provider: optionalText('The provider it is about; null when it is about none.'),
  metric: Type.String(),
  value: Type.Number(),
  threshold: Type.Number(),
  message: Type.String({ description: 'What was found.' }),
  recommendation: Type.String({ description: 'What to do about it.' }),
})
