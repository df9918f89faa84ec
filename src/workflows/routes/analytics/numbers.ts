import { quantileMs } from '#engine'
import { units } from '#executions-api'

type Durations = Parameters<typeof quantileMs>[0]

/** The average, the median and the 95th percentile of completed durations, in seconds. */
export function durationsOf({
  duration_ms: ms,
  completed,
  took,
}: {
  readonly duration_ms: number
  readonly completed: number
  readonly took: Durations
}) {
  return {
    average_duration: units.seconds(units.ratio(ms, completed)),
    median_duration: units.seconds(quantileMs(took, 0.5)),
    p95_duration: units.seconds(quantileMs(took, 0.95)),
  }
}

/** Input and output tokens together. */
export function tokensOf(sums: { readonly input_tokens: number; readonly output_tokens: number }): number {
  return sums.input_tokens + sums.output_tokens
}

/** The sums of some columns over all rows. */
export function addUp<Column extends string>(
  rows: readonly Readonly<Record<Column, number>>[],
  columns: readonly Column[],
): Readonly<Record<Column, number>> {
  const totals = columns.map((column) => [column, units.sum(rows.map((row) => row[column]))])
  return Object.fromEntries(totals) as Record<Column, number>
}
