import { averageOf, dollarsOf, percentOf, round, successRateOf } from './numbers.ts'
import type { View } from './view.ts'

const mostFlows = 5
const mostHours = 3

/** Who runs what, and when. */
export function describeUsers({ figures, flows }: View) {
  const { total, accounts, accountCount, returningAccounts } = figures
  return {
    active_users: accountCount,
    returning_users: returningAccounts,
    executions_per_user: round(averageOf(total.executions, accountCount), 2),
    most_active_users: accounts.map(({ account_id, executions, completed, failed, spent }) => ({
      account_id,
      executions,
      success_rate: successRateOf({ completed, failed }),
      total_cost: dollarsOf(spent),
    })),
    popular_flows: flows.slice(0, mostFlows).map(({ id, executions }) => ({
      flow_id: id,
      executions,
      share: percentOf(executions, total.executions),
    })),
    peak_hours: peakHours(figures),
    batch_share: percentOf(total.batches, total.executions),
  }
}

/** The hours of the day that are busiest, over the whole hours that the period touches. */
function peakHours({ hours, period }: View['figures']) {
  const from = Math.floor(period.from.getTime() / 3_600_000) * 3_600_000
  const byHour = new Map<number, number>()
  for (const { at, executions } of hours) {
    if (at.getTime() < from) continue
    const hour = at.getUTCHours()
    byHour.set(hour, (byHour.get(hour) ?? 0) + executions)
  }
  return [...byHour]
    .map(([hour, executions]) => ({ hour, executions }))
    .toSorted((one, other) => other.executions - one.executions || one.hour - other.hour)
    .slice(0, mostHours)
}
