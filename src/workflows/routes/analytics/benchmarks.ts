import type { SumsBefore } from '#engine'
import {
  averageOf,
  changeOf,
  dollarsOf,
  epochSeconds,
  medianOf,
  round,
  secondsOf,
  successRateOf,
} from './numbers.ts'
import type { View } from './view.ts'

/** This time against the one before, and each flow against the middle one of all that ran here. */
export function compare({ figures, flows }: View) {
  const { total, totalBefore, period, periodBefore } = figures
  const against = (of: (sums: SumsBefore) => number | null) => {
    const [current, previous] = [of(total), of(totalBefore)]
    return { current, previous, change: changeOf(current, previous) }
  }
  const all = [...figures.flows.values()]
  const middle = (of: (sums: SumsBefore) => number | null) =>
    medianOf(all.map(of).filter((value) => value !== null))
  const median = {
    success_rate: middle(successRateOf),
    average_duration: middle(averageDuration),
    average_cost: middle(averageCost),
  }
  return {
    previous_period: {
      from: epochSeconds(periodBefore.from),
      to: epochSeconds(period.from),
      executions: against(({ executions }) => executions),
      success_rate: against(successRateOf),
      average_duration: against(averageDuration),
      average_cost: against(averageCost),
      total_cost: against(({ spent }) => dollarsOf(spent)),
    },
    installation_median: { flows: all.length, ...median },
    flows: flows.map((flow) => ({
      flow_id: flow.id,
      success_rate_difference: differenceOf(successRateOf(flow), median.success_rate),
      duration_ratio: ratioOf(averageDuration(flow), median.average_duration),
      cost_ratio: ratioOf(averageCost(flow), median.average_cost),
    })),
  }
}

function averageDuration({ duration_ms: ms, completed }: SumsBefore): number | null {
  return secondsOf(averageOf(ms, completed))
}

function averageCost({ spent, executions }: SumsBefore): number | null {
  return dollarsOf(averageOf(spent, executions))
}

function differenceOf(value: number | null, median: number | null): number | null {
  return value === null || median === null ? null : round(value - median, 2)
}

function ratioOf(value: number | null, median: number | null): number | null {
  return value === null || median === null || median === 0 ? null : round(value / median, 3)
}
