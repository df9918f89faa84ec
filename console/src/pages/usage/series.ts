import type { DaySeries } from '../../parts/day-bars.ts'
import type { UsageRow } from './usage-queries.ts'

interface SeriesOptions {
  readonly days: readonly string[]
  readonly nameOf: (row: UsageRow) => string
  readonly valueOf: (row: UsageRow) => number
  /** What cannot be told apart any more is put together, at the end. */
  readonly most: number
}

/** Usage by day as series, the largest first. Those in which there is nothing are left out. */
export function toSeries(rows: readonly UsageRow[], options: SeriesOptions): DaySeries[] {
  const { days, nameOf, valueOf, most } = options
  const places = new Map(days.map((day, index) => [day, index]))
  const byName = new Map<string, number[]>()
  for (const row of rows) {
    const place = places.get(row.day ?? '')
    if (place === undefined) continue
    const name = nameOf(row)
    const values = byName.get(name) ?? days.map(() => 0)
    values[place] = (values[place] ?? 0) + valueOf(row)
    byName.set(name, values)
  }
  const series = [...byName]
    .map(([name, values]) => ({ name, values }))
    .filter(({ values }) => sumOf(values) > 0)
    .toSorted((one, other) => sumOf(other.values) - sumOf(one.values))
  return series.length <= most ? series : [...series.slice(0, most - 1), putTogether(series.slice(most - 1))]
}

function putTogether(series: readonly DaySeries[]): DaySeries {
  const [first] = series
  return {
    name: `${series.length} others`,
    values: (first?.values ?? []).map((_, day) => sumOf(series.map(({ values }) => values[day] ?? 0))),
  }
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
