import '../../theme/mantine-form.css'
import { SegmentedControl } from '@mantine/core'
import { TimeChart } from '../../parts/charts/TimeChart.tsx'
import { maxBars } from '../../parts/charts/time-series.ts'
import type { DaySeries } from '../../parts/day-bars.ts'
import { describeDollars, describeRoughly, describeWhole } from '../../parts/describe-amount.ts'
import { Section } from '../../parts/Section.tsx'
import { describeDay, describeShortDay } from '../../time/describe-time.ts'
import { describeProvider } from '../providers/provider-words.ts'
import { listDays } from './ranges.ts'
import styles from './UsageChart.module.css'
import type { UsageReport, UsageRow, UsageTotals } from './usage-queries.ts'
import { type Group, groups, type Measure } from './usage-search.ts'

interface AboutMeasure {
  readonly title: string
  readonly valueOf: (totals: UsageTotals) => number
  readonly describe: (value: number) => string
  readonly describeAxis: (value: number) => string
}

const count = (value: number) => value.toLocaleString()

/** The metrics of the usage chart. */
const measures: Readonly<Record<Measure, AboutMeasure>> = {
  cost: {
    title: 'Cost',
    valueOf: ({ micro_dollars }) => micro_dollars,
    describe: describeDollars,
    describeAxis: describeDollars,
  },
  tokens: {
    title: 'Tokens',
    valueOf: ({ input_tokens, output_tokens }) => input_tokens + output_tokens,
    describe: (value) => `${count(value)} tokens`,
    describeAxis: describeRoughly,
  },
  calls: {
    title: 'Calls',
    valueOf: ({ calls }) => calls,
    describe: (value) => `${count(value)} ${value === 1 ? 'call' : 'calls'}`,
    describeAxis: describeWhole,
  },
}

/** The default metric: cost, if any was spent. */
function usualMeasure({ micro_dollars }: UsageTotals): Measure {
  return micro_dollars > 0 ? 'cost' : 'calls'
}

interface UsageChartProps {
  /** Usage by day and group. */
  readonly report: UsageReport | undefined
  /** The period before, by day; undefined while loading. */
  readonly before: UsageReport | undefined
  readonly by: Group
  /** Whether the usage can be grouped by tag. */
  readonly hasTags: boolean
  /** The name of an API key. */
  readonly keyName: (id: string) => string
  /** Undefined until the user chooses. */
  readonly measure: Measure | undefined
  readonly onMeasure: (measure: Measure) => void
  readonly onBy: (by: Group) => void
}

const measureChoices = Object.entries(measures).map(([value, { title }]) => ({ value, label: title }))

const groupChoices = [
  { value: 'model', label: 'Models' },
  { value: 'provider', label: 'Providers' },
  { value: 'key', label: 'API keys' },
  { value: 'tag', label: 'Tags' },
]

/** Usage per day and group. */
export function UsageChart({
  report,
  before,
  by,
  hasTags,
  keyName,
  measure,
  onMeasure,
  onBy,
}: UsageChartProps) {
  const chosen = measure ?? (report === undefined ? 'calls' : usualMeasure(report.totals))
  const { title, valueOf, describe, describeAxis } = measures[chosen]
  const days = report === undefined ? [] : listDays(report)
  const series =
    report === undefined
      ? []
      : toSeries(report.rows, {
          days,
          most: maxBars,
          valueOf,
          // The previous report stays until the new one is loaded, so a row is named by the dimension it has.
          nameOf: ({ model, tag, key, provider = '' }) =>
            model ?? tag ?? (key === undefined ? describeProvider(provider) : keyName(key)),
        })
  return (
    <Section
      title="By day"
      note="in UTC"
      aside={
        <>
          <SegmentedControl
            size="xs"
            aria-label="Metric"
            value={chosen}
            onChange={(value) => onMeasure(value === 'cost' || value === 'tokens' ? value : 'calls')}
            data={measureChoices}
          />
          <SegmentedControl
            size="xs"
            aria-label="Group by"
            value={by}
            onChange={(value) => onBy(groups.find((group) => group === value) ?? 'model')}
            data={groupChoices.filter(({ value }) => hasTags || value !== 'tag')}
          />
        </>
      }
    >
      {report === undefined ? (
        <div className={styles['placeholder']} aria-busy />
      ) : series.length === 0 ? (
        <p className={styles['none']}>
          {chosen === 'cost' ? 'No known cost in this period.' : 'No data in this period.'}
        </p>
      ) : (
        <TimeChart
          // Another period has other days: a zoom into the former ones ends.
          key={`${days[0]} ${days.length}`}
          title={`${title} by ${by === 'key' ? 'API key' : by}`}
          places={days.map((day) => ({ name: `${describeDay(day)}, UTC`, shortName: describeShortDay(day) }))}
          series={series.map((each) => ({ ...each, as: 'bars', adds: true }))}
          totals={series.map(({ values }) => describe(sumOf(values)))}
          whole={`${days.length} days, ${describe(sumOf(series.flatMap(({ values }) => values)))}`}
          {...compareWith(before, days.length, measures[chosen])}
          describe={describe}
          describeAxis={describeAxis}
        />
      )}
    </Section>
  )
}

/** The period before as a series by position; nothing when it is empty or not loaded yet. */
function compareWith(before: UsageReport | undefined, days: number, about: AboutMeasure) {
  if (before === undefined) return {}
  const known = new Map(before.rows.map((row) => [row.day, about.valueOf(row)]))
  const values = listDays(before).map((day) => known.get(day) ?? 0)
  const total = sumOf(values)
  return total === 0 || values.length !== days
    ? {}
    : { compare: { name: `${days} days before`, values, total: about.describe(total) } }
}

interface SeriesOptions {
  readonly days: readonly string[]
  readonly nameOf: (row: UsageRow) => string
  readonly valueOf: (row: UsageRow) => number
  /** The maximum number of series; the smallest ones beyond it are combined into the last. */
  readonly most: number
}

/** Usage by day as series, largest first, without empty series. */
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
