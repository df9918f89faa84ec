import type { DaySeries } from '../../../parts/day-bars.ts'
import type { StepNumbers, TourAnalytics } from './analytics-query.ts'

/** Formats seconds: `8.5 s`, `2 min 10 s`. */
export function describeSeconds(seconds: number | null): string {
  if (seconds === null) return '–'
  if (seconds < 60) return `${seconds.toLocaleString(undefined, { maximumFractionDigits: 1 })} s`
  const whole = Math.round(seconds)
  const rest = whole % 60
  return `${Math.floor(whole / 60)} min${rest === 0 ? '' : ` ${rest} s`}`
}

export function describePercent(percent: number | null): string {
  return percent === null ? '–' : `${percent.toLocaleString(undefined, { maximumFractionDigits: 1 })} %`
}

/** A part in percent of the whole; null when the whole is 0. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.min(100, (part / whole) * 100)
}

export interface StepBar {
  readonly key: string
  readonly name: string
  /** The length of the bar, from 0 to 100. */
  readonly percent: number
  readonly value: string
  readonly note?: string
}

/** The number of visitors who reached each step, from the first view to completion. */
export function funnelOf({ totals, steps }: Pick<TourAnalytics, 'totals' | 'steps'>): StepBar[] {
  const whole = Math.max(totals.views, ...steps.map(({ views }) => views))
  const bar = (key: string, name: string, count: number): StepBar => {
    const percent = shareOf(count, whole) ?? 0
    return { key, name, percent, value: count.toLocaleString(), note: describePercent(Math.round(percent)) }
  }
  return [
    bar('seen', 'Viewed', totals.views),
    ...steps.map(({ id, label, weight, views }) => bar(`step ${id}`, `${weight}. ${label}`, views)),
    bar('completed', 'Completed', totals.completions),
  ]
}

/** The share of visitors of each step who left the tour there. */
export function dropOffsOf(steps: readonly StepNumbers[]): StepBar[] {
  return steps.map(({ id, label, weight, drop_offs, drop_off_rate }) => ({
    key: id,
    name: `${weight}. ${label}`,
    percent: drop_off_rate ?? 0,
    value: describePercent(drop_off_rate),
    note: drop_offs.toLocaleString(),
  }))
}

/** The time visitors spend on a step before they continue. */
export function timesOf(steps: readonly StepNumbers[]): StepBar[] {
  const longest = Math.max(0, ...steps.map(({ average_time }) => average_time ?? 0))
  return steps.map(({ id, label, weight, average_time }) => ({
    key: id,
    name: `${weight}. ${label}`,
    percent: shareOf(average_time ?? 0, longest) ?? 0,
    value: describeSeconds(average_time),
  }))
}

/** The visitors of each day by the point they reached; the series of a day add up to its views. */
export function seriesOf(daily: TourAnalytics['daily']): DaySeries[] {
  return [
    { name: 'Completed', values: daily.map(({ completions }) => completions) },
    { name: 'Continued', values: daily.map(({ starts, completions }) => Math.max(0, starts - completions)) },
    { name: 'Viewed only', values: daily.map(({ views, starts }) => Math.max(0, views - starts)) },
  ]
}
