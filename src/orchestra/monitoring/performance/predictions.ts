import { executionGauges, type Forecast, forecastHours } from '#engine'
import type { Vitals, VitalsPoint } from '#kernel/vitals'
import { rounded, secondsOf } from '../numbers.ts'

const hourMs = 3_600_000
const hoursBack = 28 * 24
const hoursAhead = 24

/** What is warned of, and from where on. Percent. */
const watched = [
  { metric: 'cpu_usage', threshold: 80, valueOf: (hour: VitalsPoint) => hour.average('cpu_percent') },
  { metric: 'memory_usage', threshold: 85, valueOf: (hour: VitalsPoint) => hour.average('memory_percent') },
  { metric: 'disk_usage', threshold: 85, valueOf: (hour: VitalsPoint) => hour.average('disk_percent') },
  { metric: 'capacity_utilization', threshold: 80, valueOf: utilisation },
] as const

/** The hours that are over, of the last four weeks, from the first in which anything was measured. */
export async function readHours(vitals: Vitals, now: Date): Promise<readonly VitalsPoint[]> {
  const thisHour = Math.floor(now.getTime() / hourMs) * hourMs
  const hours = await vitals.series({
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

/** The next hours, by smoothing with seasons. What there is not enough past for is null, and warned of by nobody. */
export function predict(hours: readonly VitalsPoint[], now: Date) {
  const load = forecastHours(
    hours.map(({ requests }) => requests.count),
    hoursAhead,
  )
  return {
    method: 'exponential smoothing with seasons over hourly sums',
    based_on_hours: hours.length,
    next_hour: {
      expected_load: load === undefined ? null : rounded((load.expected[0] ?? 0) / 60),
      predicted_response_time: responseTime(hours),
      confidence: load === undefined ? null : rounded(1 - load.dayError, 4),
    },
    capacity_warnings: watched.flatMap(({ metric, threshold, valueOf }) => {
      const forecast = forecastHours(withoutGaps(hours.map(valueOf)), hoursAhead)
      return forecast === undefined ? [] : warn({ metric, threshold, forecast, now })
    }),
  }
}

/** All the time that requests will take, shared among all that will come: hours without requests have no average of their own. */
function responseTime(hours: readonly VitalsPoint[]): number | null {
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
 * | risk   | the highest hour to come                                     |
 * |--------|--------------------------------------------------------------|
 * | high   | is expected to pass the threshold, and 95 % of what there is |
 * | medium | is expected to pass the threshold                            |
 * | low    | may pass it, if it is as high as one hour of forty is        |
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
      expected_value: rounded(Math.min(100, highest)),
      threshold,
      risk_level: riskOf(highest, threshold),
    },
  ]
}

function riskOf(highest: number, threshold: number): 'low' | 'medium' | 'high' {
  if (highest < threshold) return 'low'
  return highest >= 95 ? 'high' : 'medium'
}

function utilisation(hour: VitalsPoint): number | null {
  const [running, places] = [hour.average(executionGauges.running), hour.average(executionGauges.places)]
  return running === null || places === null || places === 0 ? null : (running / places) * 100
}

/** An hour in which nobody looked was as the one before. */
function withoutGaps(values: readonly (number | null)[]): readonly number[] {
  let last = values.find((value) => value !== null) ?? 0
  return values.map((value) => (last = value ?? last))
}
