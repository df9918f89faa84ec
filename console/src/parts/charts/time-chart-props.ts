import type { TimeSeries } from './time-series.ts'

/** A position on the time axis, with a long and a short name. */
export interface ChartPlace {
  readonly name: string
  readonly shortName: string
}

export interface TimeChartProps {
  /** The title of the chart. */
  readonly title: string
  readonly places: readonly ChartPlace[]
  readonly series: readonly TimeSeries[]
  /** The value of each series in the legend while no position is selected. */
  readonly totals: readonly string[]
  /** The name of the whole timeframe. */
  readonly whole: string
  /** The period before, by position. */
  readonly compare?: {
    readonly name: string
    readonly values: ReadonlyArray<number | null>
    readonly total: string
  }
  readonly describe: (value: number) => string
  /** The short form of a value, for the axis. */
  readonly describeAxis: (value: number) => string
  /** The sentence in place of the plot when there is no value above 0. */
  readonly empty?: string
}
