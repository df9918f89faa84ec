import { executionGauges, forecastHours } from '#engine'
import { units } from '#executions-api'
import type { MetricsHistory, MetricsPoint } from '#kernel/metrics-history'
import { secondsOf } from '../numbers.ts'

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
export async function readHours(metricsHistory: MetricsHistory, now: Date): Promise<readonly MetricsPoint[]> {
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
export function predict(hours: readonly MetricsPoint[], now: Date) {
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
