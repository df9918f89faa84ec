import '../../../theme/mantine-form.css'
import { SegmentedControl } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { AddressLink } from '../../../parts/AddressLink.tsx'
import { ChartGroup } from '../../../parts/charts/ChartGroup.tsx'
import type { ChartRange } from '../../../parts/charts/chart-state.ts'
import { TimeChart } from '../../../parts/charts/TimeChart.tsx'
import { describeDollars, describeRoughly } from '../../../parts/describe-amount.ts'
import { Section } from '../../../parts/Section.tsx'
import { readOverviewSearch, type Timeframe, timeframes } from '../overview-search.ts'
import { RunsChart } from './RunsChart.tsx'
import styles from './today.module.css'
import type { Overview } from './today-queries.ts'
import { periodWords, placesOf } from './today-words.ts'

const route = getRouteApi('/')
const microDollars = 1_000_000

interface RunChartsProps {
  readonly overview: Overview | undefined
  readonly timeframe: Timeframe
}

/** Runs, cost and tokens over time, with the period before. Their cursors and zooms agree; the zoom is in the address. */
export function RunCharts({ overview, timeframe }: RunChartsProps) {
  const search = readOverviewSearch({ ...route.useSearch() })
  const navigate = route.useNavigate()
  const view = overview === undefined ? undefined : viewOf(overview, search)
  const zoom = (range: ChartRange | undefined) => {
    const [from, to] = [range?.first, range?.last].map((place) => overview?.buckets[place ?? -1]?.at)
    void navigate({ search: readOverviewSearch({ timeframe, from, to }), replace: true })
  }
  return (
    <ChartGroup view={view} onView={zoom}>
      <Section
        title="Runs"
        note={overview?.scope === 'own' ? 'your runs' : undefined}
        aside={
          <>
            {overview === undefined || view === undefined ? null : (
              <AddressLink path="/executions" search={rangeOf(overview, view)}>
                View these runs
              </AddressLink>
            )}
            <SegmentedControl
              size="xs"
              aria-label="Period"
              data={timeframes.map((value) => ({ value, label: periodWords[value].choice }))}
              value={timeframe}
              onChange={(wanted) =>
                void navigate({ search: readOverviewSearch({ timeframe: wanted }), replace: true })
              }
            />
          </>
        }
      >
        {overview === undefined ? (
          <Placeholder />
        ) : (
          <RunsChart title="Runs" period={overview} totals={overview.totals} before={overview.before} />
        )}
      </Section>
      {overview === undefined || (overview.totals.cost === 0 && tokensOf(overview.totals) === 0) ? null : (
        <div className={styles['pair']}>
          {overview.totals.cost === 0 ? null : (
            <Section title="Cost">
              <CostChart overview={overview} />
            </Section>
          )}
          <Section title="Tokens">
            <TokenChart overview={overview} />
          </Section>
        </div>
      )}
    </ChartGroup>
  )
}

function Placeholder() {
  return <div className={styles['placeholder']} aria-busy />
}

/** The positions of the zoomed range; undefined when the period does not contain it. */
function viewOf(
  { buckets }: Pick<Overview, 'buckets'>,
  { from, to }: { readonly from?: string; readonly to?: string },
): ChartRange | undefined {
  const [first, last] = [from, to].map((at) => buckets.findIndex((bucket) => bucket.at === at))
  if (first === undefined || last === undefined || first === -1 || last <= first) return undefined
  return { first, last }
}

function rangeOf(
  { buckets, bucket_seconds: seconds }: Overview,
  { first, last }: ChartRange,
): { readonly from: string; readonly to: string } {
  const [start, end] = [buckets[first]?.at ?? '', buckets[last]?.at ?? '']
  return { from: start, to: new Date(Date.parse(end) + seconds * 1000).toISOString() }
}

function CostChart({ overview }: { overview: Overview }) {
  const { buckets, before, totals, timeframe } = overview
  return (
    <TimeChart
      {...placesOf(overview)}
      title="Cost"
      series={[{ name: 'Cost', as: 'area', adds: true, values: buckets.map(({ cost }) => cost) }]}
      totals={[describeCost(totals.cost)]}
      {...(before.cost === 0
        ? {}
        : {
            compare: {
              name: periodWords[timeframe].before,
              values: before.buckets.map(({ cost }) => cost),
              total: describeCost(before.cost),
            },
          })}
      describe={describeCost}
      describeAxis={describeCost}
    />
  )
}

function TokenChart({ overview }: { overview: Overview }) {
  const { buckets, totals } = overview
  return (
    <TimeChart
      {...placesOf(overview)}
      title="Tokens"
      series={[
        { name: 'In', as: 'area', adds: true, values: buckets.map(({ input_tokens }) => input_tokens) },
        { name: 'Out', adds: true, values: buckets.map(({ output_tokens }) => output_tokens) },
      ]}
      totals={[totals.input_tokens, totals.output_tokens].map(count)}
      describe={count}
      describeAxis={describeRoughly}
    />
  )
}

function count(value: number): string {
  return value.toLocaleString()
}

function describeCost(dollars: number): string {
  return describeDollars(Math.round(dollars * microDollars))
}

function tokensOf({ input_tokens, output_tokens }: Overview['totals']): number {
  return input_tokens + output_tokens
}
