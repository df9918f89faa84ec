import { TimeChart } from '../../../parts/charts/TimeChart.tsx'
import { describeWhole } from '../../../parts/describe-amount.ts'
import type { Timeframe } from '../overview-search.ts'
import { periodWords, placesOf } from './today-words.ts'

interface Ends {
  readonly completed: number
  readonly failed: number
  readonly cancelled: number
}

interface RunsChartProps {
  readonly title: string
  readonly period: {
    readonly timeframe: Timeframe
    readonly buckets: ReadonlyArray<Ends & { readonly at: string }>
  }
  readonly totals: Ends
  /** The period of the same length before. */
  readonly before?: {
    readonly executions: number
    readonly buckets: ReadonlyArray<{ readonly executions: number }>
  }
}

/** Runs over time by their outcome, with the period before. */
export function RunsChart({ title, period, totals, before }: RunsChartProps) {
  const { buckets, timeframe } = period
  return (
    <TimeChart
      {...placesOf(period)}
      title={title}
      series={[
        { name: 'Completed', as: 'bars', adds: true, values: buckets.map(({ completed }) => completed) },
        { name: 'Failed', as: 'bars', tone: 'bad', adds: true, values: buckets.map(({ failed }) => failed) },
        ...(totals.cancelled === 0
          ? []
          : [
              {
                name: 'Cancelled',
                as: 'bars' as const,
                tone: 'text-faint' as const,
                adds: true,
                values: buckets.map(({ cancelled }) => cancelled),
              },
            ]),
      ]}
      totals={[totals.completed, totals.failed, totals.cancelled].map(count)}
      {...(before === undefined || before.executions === 0
        ? {}
        : {
            compare: {
              name: periodWords[timeframe].before,
              values: before.buckets.map(({ executions }) => executions),
              total: count(before.executions),
            },
          })}
      describe={count}
      describeAxis={describeWhole}
      empty="No runs in this period."
    />
  )
}

function count(value: number): string {
  return value.toLocaleString()
}
