import type { PlotSize } from './day-bars.ts'

export interface LineSeries {
  readonly name: string
  /** One for each place; null where nothing was measured. */
  readonly values: ReadonlyArray<number | null>
}

/** Where a value stands: each place has an equal part of the width, and its value is in the middle of it. */
export function pointOf(place: number, value: number, count: number, size: PlotSize, top: number) {
  return {
    x: rounded(((place + 0.5) * size.width) / Math.max(count, 1)),
    y: rounded(size.height - (value / top) * size.height),
  }
}

/** The path of a line, which breaks where nothing was measured. */
export function drawLine(values: LineSeries['values'], size: PlotSize, top: number): string {
  let path = ''
  let isContinued = false
  for (const [place, value] of values.entries()) {
    if (value !== null) {
      const { x, y } = pointOf(place, value, values.length, size, top)
      path += `${isContinued ? 'L' : 'M'}${x} ${y}`
    }
    isContinued = value !== null
  }
  return path
}

/** The places of values with none beside them: no line shows those. */
export function placesAlone(values: LineSeries['values']): readonly number[] {
  const isMeasured = (place: number) => (values[place] ?? null) !== null
  return [...values.keys()].filter(
    (place) => isMeasured(place) && !isMeasured(place - 1) && !isMeasured(place + 1),
  )
}

/** The highest value of all series; 0 when nothing was measured. */
export function highestOf(series: readonly LineSeries[]): number {
  return series.reduce(
    (highest, { values }) => values.reduce<number>((most, value) => Math.max(most, value ?? 0), highest),
    0,
  )
}

function rounded(length: number): number {
  return Math.round(length * 10) / 10
}
