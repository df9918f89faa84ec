import { type AgentFiguresOf, forecastHours } from '#engine'
import { sumOf } from './runs.ts'

type Spans = AgentFiguresOf['hours']

const hourMs = 3_600_000
const dayHours = 24
const weekDays = 7
const monthDays = 30

/** What the next 30 days are likely to cost, in micro-dollars. */
export interface Projection {
  readonly microDollars: number
  readonly method: 'seasonal_smoothing' | 'daily_average'
  /** 0 to 1, by how far it was off on the days that are known; null of an average, which nobody has tried. */
  readonly confidence: number | null
}

/** What a day of the last week cost on average, in micro-dollars; of fewer days when less is known. Null when nothing is. */
export function dailyAverage(hours: Spans, now: Date): number | null {
  const [first] = hours
  if (first === undefined) return null
  const from = Math.floor(now.getTime() / hourMs) * hourMs - weekDays * dayHours * hourMs
  const known = (now.getTime() - Math.max(from, first.at.getTime())) / (dayHours * hourMs)
  const spent = sumOf(hours.filter(({ at }) => at.getTime() >= from).map((hour) => hour.spent))
  // Less than a day is not stretched to one: nobody knows what the rest of it brings.
  return spent / Math.min(weekDays, Math.max(1, known))
}

/**
 * Smoothing with seasons over the hours of the last weeks; with fewer than three days of them, thirty times the average day. Null
 * when nothing is known.
 */
export function projectMonth(hours: Spans, now: Date): Projection | null {
  const average = dailyAverage(hours, now)
  const [first] = hours
  if (average === null || first === undefined) return null
  const thisHour = Math.floor(now.getTime() / hourMs) * hourMs
  const byHour = new Map(hours.map((hour) => [hour.at.getTime(), hour.spent]))
  // The hour that is under way is not over, and would look like a cheap one.
  const length = (thisHour - first.at.getTime()) / hourMs
  const series = Array.from({ length }, (_, index) => byHour.get(first.at.getTime() + index * hourMs) ?? 0)
  const forecast = forecastHours(series, monthDays * dayHours)
  if (forecast === undefined)
    return { microDollars: average * monthDays, method: 'daily_average', confidence: null }
  return {
    microDollars: sumOf(forecast.expected),
    method: 'seasonal_smoothing',
    confidence: 1 - forecast.dayError,
  }
}
