import { Type } from 'typebox'
import { access, units } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { orchestraPrefix } from '../../api.ts'
import { integer, maybeNumber, maybeText, number, text } from '../../schemas/values.ts'
import type { MonitoringOptions } from '../options.ts'
import { describeMetrics, describeSeries, describeTrends } from './describe.ts'
import { predict, readHours } from './predictions.ts'
import { PerformanceQuery, readGranularity, readParts } from './query.ts'
import { recommend } from './recommendations.ts'
import { readPerformanceStats } from './stats.ts'

/** The performance of the platform. */
export function addPerformanceRoute(routes: HttpServer, options: MonitoringOptions): void {
  routes.get(
    `${orchestraPrefix}/metrics/performance`,
    {
      config: { access: access.seesAnalytics },
      schema: {
        operationId: 'readPerformance',
        summary: 'Get performance metrics',
        description:
          'Returns response times, throughput, errors and resource usage, compared with the previous period, and a forecast of the next hours.',
        querystring: PerformanceQuery,
        response: { 200: Performance },
      },
    },
    async ({ query }, reply) => {
      const now = new Date()
      const { timeframe } = query
      const granularity = readGranularity(query)
      const parts = readParts(query)
      const [stats, hours] = await Promise.all([
        readPerformanceStats(options, { timeframe, granularity, now }),
        query.include_predictions ? readHours(options.metricsHistory, now) : undefined,
      ])
      return reply.header('cache-control', 'no-store').send({
        metrics: describeMetrics(stats, parts),
        trends: describeTrends(stats),
        timeseries: describeSeries(stats, granularity),
        predictions: hours === undefined ? null : predict(hours, now),
        recommendations: [...recommend(stats)],
        timeframe,
        granularity,
        generated_at: units.epochSeconds(now),
      })
    },
  )
}

const trend = (what: string) =>
  maybeText(`${what}, in percent with a sign against the previous period; null without one.`)

const Predictions = Type.Object({
  method: text('The forecast method.'),
  based_on_hours: integer('Hours of history; at least three days are needed.'),
  next_hour: Type.Object({
    expected_load: maybeNumber('Requests per minute; null without enough history.'),
    predicted_response_time: maybeNumber('Average in seconds; null without enough history.'),
    confidence: maybeNumber('0 to 1: how close forecasts of past days were; null without enough history.'),
  }),
  capacity_warnings: Type.Array(
    Type.Object({
      metric: text('`cpu_usage`, `memory_usage`, `disk_usage` or `capacity_utilization`.'),
      predicted_peak: Type.String({ format: 'date-time', description: 'The hour of the peak.' }),
      expected_value: number('Percent in that hour.'),
      threshold: number('Warning threshold in percent.'),
      risk_level: Type.Enum(['low', 'medium', 'high'], {
        description: 'low: it may exceed the threshold. medium: it is expected to. high: 95 % is expected.',
      }),
    }),
    { description: 'What may reach its limits in the next 24 hours.' },
  ),
})

const Performance = Type.Object(
  {
    metrics: Type.Object(
      {
        response_times: Type.Optional(
          Type.Object(
            {
              avg: maybeNumber('Exact.'),
              p50: maybeNumber('From a histogram, accurate to a fifth.'),
              p95: maybeNumber('As accurate as the median.'),
              p99: maybeNumber('As accurate as the median.'),
              max: maybeNumber('Exact.'),
            },
            {
              description:
                'Seconds of all completed requests, without event streams and health checks; null without requests.',
            },
          ),
        ),
        throughput: Type.Optional(
          Type.Object({
            requests_per_minute: number('Over the whole timeframe.'),
            workflows_per_hour: number('Executions that finished, over the whole timeframe.'),
            peak_concurrent: maybeNumber('Maximum concurrent executions, sampled every second.'),
            capacity_utilization: maybeNumber(
              'Average percent of the execution slots of all workers in use; null without samples.',
            ),
          }),
        ),
        error_rates: Type.Optional(
          Type.Object(
            {
              total_error_rate: maybeNumber('The sum of the three rates below.'),
              timeout_rate: maybeNumber('Timeouts (504).'),
              provider_error_rate: maybeNumber('Provider failures (502).'),
              system_error_rate: maybeNumber('Every other 5xx.'),
            },
            {
              description: 'Percent of all requests; null without any. Client errors (4xx) do not count.',
            },
          ),
        ),
        resource_utilization: Type.Optional(
          Type.Object(
            {
              cpu_usage: maybeNumber('Percent.'),
              memory_usage: maybeNumber('Percent.'),
              disk_io: maybeNumber('Bytes per second, read and written.'),
              network_io: maybeNumber('Bytes per second, in and out.'),
            },
            { description: 'Averages of all machines; null where the system does not report them.' },
          ),
        ),
      },
      { description: 'The requested parts.' },
    ),
    trends: Type.Object({
      response_time_trend: trend('The average response time'),
      throughput_trend: trend('The number of requests'),
      error_rate_trend: trend('The error rate'),
      resource_trend: trend('The CPU usage'),
    }),
    timeseries: Type.Array(
      Type.Object({
        timestamp: Type.String({ format: 'date-time', description: 'Start, in UTC.' }),
        response_time: maybeNumber('Average in seconds; null without requests.'),
        throughput: number('Requests per minute.'),
        error_rate: maybeNumber('Percent; null without requests.'),
        cpu_usage: maybeNumber('Percent; null without samples.'),
      }),
      { description: 'By `granularity`, the earliest first, including empty points.' },
    ),
    predictions: Type.Union([Predictions, Type.Null()]),
    recommendations: Type.Array(
      Type.Object({
        type: text('What it is about.'),
        priority: Type.Enum(['low', 'medium', 'high']),
        description: text('The measurement and the recommended action.'),
        estimated_benefit: text('The estimated benefit.'),
      }),
    ),
    timeframe: text('The requested timeframe.'),
    granularity: text('The requested granularity, or the default.'),
    generated_at: integer('Epoch seconds.'),
  },
  { description: 'The requests of all processes of the platform.' },
)
