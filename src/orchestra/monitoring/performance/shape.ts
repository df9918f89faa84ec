import { Type } from 'typebox'
import { integer, maybeNumber, maybeText, number, text } from '../../schemas/values.ts'

const trend = (what: string) =>
  maybeText(`${what}, in percent with a sign against the time before; null when there was nothing before.`)

const Predictions = Type.Object({
  method: text('How they are made.'),
  based_on_hours: integer('Hours of the past that are known. Three days are needed.'),
  next_hour: Type.Object({
    expected_load: maybeNumber('Requests a minute; null without enough past.'),
    predicted_response_time: maybeNumber('Seconds on the average; null without enough past.'),
    confidence: maybeNumber(
      '0 to 1: how near sums over a day were when the past was forecast the same way; null without enough past.',
    ),
  }),
  capacity_warnings: Type.Array(
    Type.Object({
      metric: text('`cpu_usage`, `memory_usage`, `disk_usage` or `capacity_utilization`.'),
      predicted_peak: Type.String({ format: 'date-time', description: 'The hour it is highest.' }),
      expected_value: number('Percent in that hour.'),
      threshold: number('Percent from which it is warned of.'),
      risk_level: Type.Enum(['low', 'medium', 'high'], {
        description: 'low: it may pass the threshold. medium: it is expected to. high: 95 % is expected.',
      }),
    }),
    { description: 'What may reach its limits in the next 24 hours.' },
  ),
})

export const Performance = Type.Object(
  {
    metrics: Type.Object(
      {
        response_times: Type.Optional(
          Type.Object(
            {
              avg: maybeNumber('Exact.'),
              p50: maybeNumber('From counts between fixed bounds, right to within a fifth.'),
              p95: maybeNumber('As exact as the median.'),
              p99: maybeNumber('As exact as the median.'),
              max: maybeNumber('Exact.'),
            },
            {
              description:
                'Seconds, of all requests that were answered to the end, without event streams and health checks; null when there were none.',
            },
          ),
        ),
        throughput: Type.Optional(
          Type.Object({
            requests_per_minute: number('Over the whole timeframe.'),
            workflows_per_hour: number('Executions that ended, over the whole timeframe.'),
            peak_concurrent: maybeNumber('The most executions that ran at once, looked at every second.'),
            capacity_utilization: maybeNumber(
              'Percent of what all workers can run at once that ran on the average; null when nobody looked.',
            ),
          }),
        ),
        error_rates: Type.Optional(
          Type.Object(
            {
              total_error_rate: maybeNumber('The three below together.'),
              timeout_rate: maybeNumber('Ran out of time (504).'),
              provider_error_rate: maybeNumber('A provider did not answer properly (502).'),
              system_error_rate: maybeNumber('Every other 5xx.'),
            },
            {
              description:
                'Percent of all requests; null without any. Mistakes of callers (4xx) are no errors.',
            },
          ),
        ),
        resource_utilization: Type.Optional(
          Type.Object(
            {
              cpu_usage: maybeNumber('Percent.'),
              memory_usage: maybeNumber('Percent.'),
              disk_io: maybeNumber('Bytes a second, read and written.'),
              network_io: maybeNumber('Bytes a second, in and out.'),
            },
            { description: 'Averages of all machines; null where the system does not tell.' },
          ),
        ),
      },
      { description: 'The parts that were asked for.' },
    ),
    trends: Type.Object({
      response_time_trend: trend('The average response time'),
      throughput_trend: trend('The number of requests'),
      error_rate_trend: trend('The rate of errors'),
      resource_trend: trend('How busy the processors are'),
    }),
    timeseries: Type.Array(
      Type.Object({
        timestamp: Type.String({ format: 'date-time', description: 'When it begins, in UTC.' }),
        response_time: maybeNumber('Seconds on the average; null without requests.'),
        throughput: number('Requests a minute.'),
        error_rate: maybeNumber('Percent; null without requests.'),
        cpu_usage: maybeNumber('Percent; null when nobody looked.'),
      }),
      { description: 'By `granularity`, the earliest first, also where nothing happened.' },
    ),
    predictions: Type.Union([Predictions, Type.Null()]),
    recommendations: Type.Array(
      Type.Object({
        type: text('What it is about.'),
        priority: Type.Enum(['low', 'medium', 'high']),
        description: text('The number it follows from, and what to do.'),
        estimated_benefit: text('What could be gained, from the same numbers.'),
      }),
    ),
    timeframe: text('As it was asked for.'),
    granularity: text('As it was asked for, or the usual one.'),
    generated_at: integer('Epoch seconds.'),
  },
  { description: 'How the platform does: its own requests, of all processes together.' },
)
