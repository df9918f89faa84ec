import { Type } from 'typebox'
import { executionGauges, forecastHours } from '#engine'
import { access, units } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import type { MetricsHistory, MetricsPoint } from '#kernel/metrics-history'
import { orchestraPrefix } from '../../api.ts'
import { integer, maybeNumber, maybeText, number, text } from '../../schemas/values.ts'
import { secondsOf } from '../numbers.ts'
import type { MonitoringOptions } from '../options.ts'
import { describeMetrics, describeSeries, describeTrends, recommend } from './describe.ts'
import { PerformanceQuery, readGranularity, readParts } from './query.ts'
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
    { description: 'Resources that may reach their limits in the next 24 hours.' },
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
        type: text('The subject of the recommendation.'),
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

type Forecast = NonNullable<ReturnType<typeof forecastHours>>

const hourMs = 3_600_000
const hoursBack = 28 * 24
const hoursAhead = 24

/** The gauges with a capacity warning and their thresholds, in percent. */
const warned = [
  { metric: 'cpu_usage', threshold: 80, valueOf: (hour: MetricsPoint) => hour.average('cpu_percent') },
  { metric: 'memory_usage', threshold: 85, valueOf: (hour: MetricsPoint) => hour.average('memory_percent') },
  { metric: 'disk_usage', threshold: 85, valueOf: (hour: MetricsPoint) => hour.average('disk_percent') },
  { metric: 'capacity_utilization', threshold: 80, valueOf: utilisation },
] as const

/** The complete hours of the last four weeks, from the first with a measurement. */
async function readHours(metricsHistory: MetricsHistory, now: Date): Promise<readonly MetricsPoint[]> {
  const thisHour = Math.floor(now.getTime() / hourMs) * hourMs
  const hours = await metricsHistory.series({
    from: new Date(thisHour - hoursBack * hourMs),
    to: new Date(thisHour),
    grain: 'hour',
    gauges: [
      'load',
      'cpu_percent',
      'memory_percent',
      'disk_percent',
      executionGauges.running,
      executionGauges.places,
    ],
  })
  const first = hours.findIndex((hour) => hour.average('load') !== null || hour.requests.count > 0)
  return first < 0 ? [] : hours.slice(first)
}

/** Forecasts the next hours by exponential smoothing with seasons. Without enough history a value is null and has no warning. */
function predict(hours: readonly MetricsPoint[], now: Date) {
  const load = forecastHours(
    hours.map(({ requests }) => requests.count),
    hoursAhead,
  )
  return {
    method: 'exponential smoothing with seasons over hourly sums',
    based_on_hours: hours.length,
    next_hour: {
      expected_load: load === undefined ? null : units.round((load.expected[0] ?? 0) / 60, 2),
      predicted_response_time: responseTime(hours),
      confidence: load === undefined ? null : units.round(1 - load.dayError, 4),
    },
    capacity_warnings: warned.flatMap(({ metric, threshold, valueOf }) => {
      const forecast = forecastHours(withoutGaps(hours.map(valueOf)), hoursAhead)
      return forecast === undefined ? [] : warn({ metric, threshold, forecast, now })
    }),
  }
}

/** The forecast of the total time divided by that of the requests: hours without requests have no average. */
function responseTime(hours: readonly MetricsPoint[]): number | null {
  const count =
    forecastHours(
      hours.map(({ requests }) => requests.timed),
      1,
    )?.expected[0] ?? 0
  const ms =
    forecastHours(
      hours.map(({ requests }) => requests.totalMs),
      1,
    )?.expected[0] ?? 0
  return count === 0 ? null : secondsOf(ms / count)
}

/**
 * | risk   | the highest forecast hour                                    |
 * |--------|--------------------------------------------------------------|
 * | high   | is expected to exceed the threshold and 95 %                 |
 * | medium | is expected to exceed the threshold                          |
 * | low    | may exceed it within the margin of error                     |
 */
function warn({
  metric,
  threshold,
  forecast: { expected, margin },
  now,
}: {
  readonly metric: string
  readonly threshold: number
  readonly forecast: Forecast
  readonly now: Date
}) {
  const highest = Math.max(...expected)
  if (highest + margin < threshold) return []
  const at = Math.floor(now.getTime() / hourMs) * hourMs + expected.indexOf(highest) * hourMs
  return [
    {
      metric,
      predicted_peak: new Date(at).toISOString(),
      expected_value: units.round(Math.min(100, highest), 2),
      threshold,
      risk_level: riskOf(highest, threshold),
    },
  ]
}

function riskOf(highest: number, threshold: number): 'low' | 'medium' | 'high' {
  if (highest < threshold) return 'low'
  return highest >= 95 ? 'high' : 'medium'
}

function utilisation(hour: MetricsPoint): number | null {
  const [running, slots] = [hour.average(executionGauges.running), hour.average(executionGauges.places)]
  return running === null || slots === null || slots === 0 ? null : (running / slots) * 100
}

/** An hour without samples gets the value of the hour before. */
function withoutGaps(values: readonly (number | null)[]): readonly number[] {
  let last = values.find((value) => value !== null) ?? 0
  return values.map((value) => (last = value ?? last))
}
