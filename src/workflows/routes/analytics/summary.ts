import type { Timeframe } from '#engine'
import { groupFigures } from './groups.ts'
import {
  averageOf,
  dollarsOf,
  durationsOf,
  epochSeconds,
  percentOf,
  secondsOf,
  successRateOf,
  tokensOf,
} from './numbers.ts'
import type { Grouping } from './query.ts'
import type { View } from './view.ts'

export function summarise(
  view: View,
  { timeframe, group_by: grouping }: { readonly timeframe: Timeframe; readonly group_by: Grouping },
) {
  const { total, period, at, accountCount } = view.figures
  const { steps } = view
  return {
    timeframe,
    period: { from: epochSeconds(period.from), to: epochSeconds(at) },
    total_executions: total.executions,
    completed_executions: total.completed,
    failed_executions: total.failed,
    cancelled_executions: total.cancelled,
    success_rate: successRateOf(total),
    ...durationsOf(total),
    average_queue_time: secondsOf(averageOf(total.queued_ms, total.begun)),
    total_cost: dollarsOf(total.spent),
    unpriced_executions: total.unpriced,
    total_tokens: tokensOf(steps),
    total_ai_calls: steps.ai_calls,
    cache_hit_rate: percentOf(steps.cache_hits, steps.ai_calls),
    agent_decisions: total.decisions,
    batch_executions: total.batches,
    batch_items: total.batch_items,
    unique_flows: view.flows.length,
    active_users: accountCount,
    group_by: grouping,
    breakdown: groupFigures(view, grouping).slice(0, mostGroups),
    generated_at: epochSeconds(at),
  }
}

const mostGroups = 200
