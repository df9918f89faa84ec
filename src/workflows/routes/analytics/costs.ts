import { groupFigures } from './groups.ts'
import { averageOf, changeOf, dollarsOf } from './numbers.ts'
import type { Grouping } from './query.ts'
import type { View } from './view.ts'

const monthMs = 30 * 86_400_000

export function describeCosts(view: View, { grouping }: { readonly grouping: Grouping | undefined }) {
  const { total, totalBefore, period, at } = view.figures
  const length = at.getTime() - period.from.getTime()
  const projected = total.executions === 0 ? null : (total.spent / length) * monthMs
  const { flow, provider } = { flow: dearest(view, 'flow'), provider: dearest(view, 'provider') }
  return {
    total_cost: dollarsOf(total.spent),
    average_cost_per_execution: dollarsOf(averageOf(total.spent, total.executions)),
    cost_per_successful_execution: dollarsOf(averageOf(total.spent, total.completed)),
    cost_without_result: dollarsOf(total.spent - total.completed_spent),
    previous_cost: dollarsOf(totalBefore.spent),
    cost_change: changeOf(total.spent, totalBefore.spent),
    projected_monthly_cost: dollarsOf(projected),
    unpriced_executions: total.unpriced,
    most_expensive_flow: flow,
    most_expensive_provider: provider,
    cost_breakdown: grouping === undefined ? null : byCost(view, grouping),
  }
}

function byCost(view: View, grouping: Grouping) {
  return groupFigures(view, grouping).toSorted((one, other) => other.total_cost - one.total_cost)
}

function dearest(view: View, grouping: Grouping): string | null {
  const [first] = byCost(view, grouping)
  return first === undefined || first.total_cost === 0 ? null : first.key
}
