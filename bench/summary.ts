import type { Benchmark, Measurement } from './benchmark.ts'

/** One line of the printed table, by column. */
export type Line = Readonly<Record<string, string>>

/** The median of each contender, the spread of its rounds, and its ratio to its baseline. */
export function summarise(
  { unit, baseline, baselineOf = () => baseline }: Pick<Benchmark, 'unit' | 'baseline' | 'baselineOf'>,
  results: ReadonlyMap<string, readonly Measurement[]>,
): Line[] {
  return [...results].map(([contender, measurements]) => {
    const values = valuesOf(measurements)
    const compared = baselineOf(contender)
    const reference = median(valuesOf(results.get(compared)))
    return {
      contender,
      [unit]: show(median(values)),
      spread: `${show(Math.min(...values))} to ${show(Math.max(...values))}`,
      ratio: contender === compared ? '1 (baseline)' : (median(values) / reference).toFixed(2),
      ...besides(measurements),
    }
  })
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** The percentile of the values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function valuesOf(measurements: readonly Measurement[] = []): number[] {
  return measurements.map(({ value }) => value)
}

function besides(measurements: readonly Measurement[]): Line {
  const names = Object.keys(measurements[0]?.beside ?? {})
  return Object.fromEntries(
    names.map((name) => [name, show(median(measurements.map(({ beside }) => beside?.[name] ?? Number.NaN)))]),
  )
}

function show(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3
  return value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits })
}
