/** The number of time slices in a sparkline, and how many of them may lack a value before the line breaks. */
export const slots = 60
const longestGap = 6

export interface SparklineSize {
  readonly width: number
  readonly height: number
}

/** Space for the stroke at the edges. */
const edge = 2

/**
 * The SVG path of a sparkline with the newest value at the right. The bottom is zero, the top the highest
 * value. A single value is a dot.
 */
export function drawSparkline(
  values: ReadonlyArray<number | null>,
  { width, height }: SparklineSize,
): string {
  const top = Math.max(...values.map((value) => value ?? 0), Number.MIN_VALUE)
  const xOf = (index: number) =>
    rounded(edge + ((slots - values.length + index) * (width - 2 * edge)) / (slots - 1))
  const yOf = (value: number) => rounded(height - edge - (value / top) * (height - 2 * edge))
  let path = ''
  let last = Number.NEGATIVE_INFINITY
  for (const [index, value] of values.entries()) {
    if (value === null) continue
    const isContinued = index - last <= longestGap
    // A line of zero length is drawn as a dot because of its round caps.
    path += isContinued ? `L${xOf(index)} ${yOf(value)}` : `M${xOf(index)} ${yOf(value)}h0`
    last = index
  }
  return path
}

function rounded(length: number): number {
  return Math.round(length * 10) / 10
}
