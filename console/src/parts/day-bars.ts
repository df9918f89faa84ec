export interface DaySeries {
  readonly name: string
  /** One value for each day. */
  readonly values: readonly number[]
}

export interface PlotSize {
  readonly width: number
  readonly height: number
}

export interface Bar {
  readonly series: number
  readonly day: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const widestBar = 32
const shareOfStep = 0.72
/** The minimum height of a bar, so that small values are visible. */
const leastHeight = 1

/** The bars of all days, stacked by series, with the first series at the bottom. */
export function stackBars(series: readonly DaySeries[], days: number, size: PlotSize, top: number): Bar[] {
  const step = size.width / Math.max(days, 1)
  const width = Math.min(widestBar, step * shareOfStep)
  return Array.from({ length: days }, (_, day) => {
    let y = size.height
    return series.flatMap(({ values }, index): Bar[] => {
      const value = values[day] ?? 0
      if (value <= 0) return []
      const height = Math.max(leastHeight, (value / top) * size.height)
      y -= height
      return [{ series: index, day, x: day * step + (step - width) / 2, y, width, height }]
    })
  }).flat()
}

/** The index of the day at a position of the plot. */
export function dayAt(x: number, days: number, width: number): number {
  return Math.max(0, Math.min(days - 1, Math.floor((x / width) * days)))
}

/** The sum of all series on a day. */
export function sumOfDay(series: readonly DaySeries[], day: number): number {
  return series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0)
}

const steps = [1, 1.5, 2, 3, 4, 5, 6, 8, 10]

/** The end of the axis: the next round number whose half is round, too. */
export function roundUp(value: number): number {
  if (value <= 0) return 1
  const unit = 10 ** Math.floor(Math.log10(value))
  const step = steps.find((it) => it * unit >= value) ?? 10
  return step * unit
}

/** The days with a label below the plot: as many as fit, and always the last one. */
export function pickLabels(days: number, width: number, labelWidth = 64): readonly number[] {
  const most = Math.max(1, Math.floor(width / labelWidth))
  const every = Math.max(1, Math.ceil(days / most))
  return Array.from({ length: days }, (_, day) => day).filter((day) => (days - 1 - day) % every === 0)
}
