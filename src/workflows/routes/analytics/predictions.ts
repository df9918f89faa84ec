import { forecastHours } from '#engine'
import { dollarsOf, epochSeconds, round } from './numbers.ts'
import type { View } from './view.ts'

const hourMs = 3_600_000
const horizonHours = 24

/** The next day, from the hours of the last weeks; null without enough of them. */
export function predict({ figures }: View) {
  const thisHour = Math.floor(figures.at.getTime() / hourMs) * hourMs
  const past = figures.hours.filter(({ at }) => at.getTime() < thisHour)
  const [first] = past
  if (first === undefined) return null
  const length = (thisHour - first.at.getTime()) / hourMs
  const byHour = new Map(past.map((hour) => [hour.at.getTime(), hour]))
  // The hour that is under way is not over, and would look like a quiet one.
  const series = Array.from({ length }, (_, index) => byHour.get(first.at.getTime() + index * hourMs))
  const executions = forecastHours(
    series.map((hour) => hour?.executions ?? 0),
    horizonHours,
  )
  if (executions === undefined) return null
  const costs = forecastHours(
    series.map((hour) => hour?.spent ?? 0),
    horizonHours,
  )
  const [failed, ended] = [sumOf(past.map((hour) => hour.failed)), sumOf(past.map((hour) => hour.executions))]
  const expected = sumOf(executions.expected)
  const hourly = executions.expected.map((value, index) => ({
    at: epochSeconds(new Date(thisHour + index * hourMs)),
    executions: round(value, 2),
    low: round(Math.max(0, value - executions.margin), 2),
    high: round(value + executions.margin, 2),
  }))
  const [busiest] = hourly.toSorted((one, other) => other.executions - one.executions)
  return {
    method: 'exponential smoothing with seasons over hourly sums',
    season_hours: executions.seasonHours,
    based_on_hours: length,
    horizon_hours: horizonHours,
    expected_executions: round(expected, 2),
    expected_cost: costs === undefined ? null : dollarsOf(sumOf(costs.expected)),
    expected_failures: round(ended === 0 ? 0 : (expected * failed) / ended, 2),
    peak: { at: busiest?.at ?? epochSeconds(figures.at), executions: busiest?.executions ?? 0 },
    hourly,
    confidence: round(1 - executions.dayError, 4),
  }
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
