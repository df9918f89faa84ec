import type { HistoryResult } from '#engine'
import { units } from '#executions-api'
import type { View } from './view.ts'

type SumsBefore = HistoryResult<'figures'>['totalBefore']

/** This time against the one before, and each flow against the middle one of all that ran here. */
export function compare({ figures, flows }: View) {
  const { total, totalBefore, period, periodBefore } = figures
  const against = (of: (sums: SumsBefore) => number | null) => {
    const [current, previous] = [of(total), of(totalBefore)]
    return { current, previous, change: units.percentChange(current, previous) }
  }
  const all = [...figures.flows.values()]
  const middle = (of: (sums: SumsBefore) => number | null) =>
    medianOf(all.map(of).filter((value) => value !== null))
  const median = {
    success_rate: middle(units.successRate),
    average_duration: middle(averageDuration),
    average_cost: middle(averageCost),
  }
  return {
    previous_period: {
      from: units.epochSeconds(periodBefore.from),
      to: units.epochSeconds(period.from),
      executions: against(({ executions }) => executions),
      success_rate: against(units.successRate),
      average_duration: against(averageDuration),
      average_cost: against(averageCost),
      total_cost: against(({ spent }) => units.dollars(spent)),
    },
    installation_median: { flows: all.length, ...median },
    flows: flows.map((flow) => ({
      flow_id: flow.id,
      success_rate_difference: differenceOf(units.successRate(flow), median.success_rate),
      duration_ratio: ratioOf(averageDuration(flow), median.average_duration),
      cost_ratio: ratioOf(averageCost(flow), median.average_cost),
    })),
  }
}

function averageDuration({ duration_ms: ms, completed }: SumsBefore): number | null {
  return units.seconds(units.ratio(ms, completed))
}

function averageCost({ spent, executions }: SumsBefore): number | null {
  return units.dollars(units.ratio(spent, executions))
}

function differenceOf(value: number | null, median: number | null): number | null {
  return value === null || median === null ? null : units.round(value - median, 2)
}

function ratioOf(value: number | null, median: number | null): number | null {
  return value === null || median === null || median === 0 ? null : units.round(value / median, 3)
}

/** The median, with the digits of a micro-dollar: the mean of 0.108 and 0.109 would be 0.10850000000000001. Null of no numbers. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  const [low, high] =
    sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : [sorted[middle - 1], sorted[middle]]
  return low === undefined || high === undefined ? null : units.round((low + high) / 2, 6)
}
