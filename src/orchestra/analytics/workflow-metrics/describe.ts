import type { Static } from 'typebox'
import { type OverviewOf, quantileMs } from '#engine'
import { dollars, epochSeconds, percentage, seconds } from '#runs'
import { trendOf } from '../../monitoring/numbers.ts'
import type { Grouping, MetricsQuery } from './query.ts'
import type { WorkflowMetrics } from './shapes.ts'

/** The most that ran at once, and where it was seen. */
export interface Peak {
  readonly value: number
  readonly source: 'executions' | 'samples'
}

interface Asked {
  readonly query: MetricsQuery
  /** Undefined: all. */
  readonly flowIds: readonly string[] | undefined
  readonly peak: Peak | undefined
}

interface Ended {
  readonly executions: number
  readonly completed: number
  readonly failed: number
  readonly duration_ms: number
  readonly spent: number
}

const mostWorkflows = 200
const nothing: Ended = { executions: 0, completed: 0, failed: 0, duration_ms: 0, spent: 0 }

/** Says how workflows did in the words of the interface. */
export function describeMetrics(
  overview: OverviewOf,
  { query, flowIds, peak }: Asked,
): Static<typeof WorkflowMetrics> {
  const { total, tokens, flows, flowsBefore, hours, at } = overview
  const workflows = (flowIds ?? [...flows.keys()])
    .map((id) => ({ id, ...(flows.get(id) ?? nothing) }))
    .toSorted((one, other) => other.executions - one.executions || (one.id < other.id ? -1 : 1))
    .slice(0, mostWorkflows)
  return {
    metrics: {
      total_executions: total.executions,
      successful_executions: total.completed,
      failed_executions: total.failed,
      cancelled_executions: total.cancelled,
      success_rate: successRateOf(total),
      average_duration: averageOf(total),
      median_duration: inSeconds(quantileMs(total.took, 0.5)),
      total_cost: dollars(total.spent),
      unpriced_executions: total.unpriced,
      tokens_consumed: tokens,
      unique_workflows: flows.size,
      peak_concurrent_executions: peak?.value ?? null,
      peak_concurrent_source: peak?.source ?? null,
    },
    trends: query.include_trends ? describeTrends(overview, query) : null,
    by_workflow: Object.fromEntries(
      workflows.map((workflow) => [
        workflow.id,
        {
          executions: workflow.executions,
          success_rate: successRateOf(workflow),
          avg_duration: averageOf(workflow),
          cost: dollars(workflow.spent),
          trend: query.include_trends
            ? trendOf(workflow.executions, flowsBefore.get(workflow.id)?.executions ?? 0)
            : null,
        },
      ]),
    ),
    hourly_breakdown: hours.map((hour) => ({
      hour: hour.at.toISOString(),
      executions: hour.executions,
      success_rate: successRateOf(hour),
      avg_duration: averageOf(hour),
    })),
    group_by: query.group_by,
    breakdown: groups[query.group_by](overview, workflows).map(({ key, ...ended }) => ({
      key,
      executions: ended.executions,
      success_rate: successRateOf(ended),
      avg_duration: averageOf(ended),
      cost: dollars(ended.spent),
      cost_share: percentage(ended.spent, total.spent),
    })),
    timeframe: query.timeframe,
    generated_at: epochSeconds(at),
  }
}

type Group = Ended & { readonly key: string }

const groups: Readonly<
  Record<Grouping, (overview: OverviewOf, workflows: readonly (Ended & { readonly id: string })[]) => Group[]>
> = {
  flow: (_, workflows) => workflows.map(({ id, ...ended }) => ({ ...ended, key: id })),
  hour: ({ hours }) => hours.map(({ at, ...ended }) => ({ ...ended, key: at.toISOString() })),
  day: ({ days }) => days.map(({ at, ...ended }) => ({ ...ended, key: at.toISOString() })),
}

function describeTrends({ total, totalBefore }: OverviewOf, { timeframe }: MetricsQuery) {
  return {
    execution_trend: trendOf(total.executions, totalBefore.executions),
    success_rate_trend: trendOf(successRateOf(total), successRateOf(totalBefore)),
    cost_trend: trendOf(total.spent, totalBefore.spent),
    performance_trend: trendOf(speedOf(total), speedOf(totalBefore)),
    trend_period: `previous ${timeframe}`,
  }
}

/** How many would complete in a second, one after the other. */
function speedOf({ completed, duration_ms: ms }: Ended): number | null {
  return completed === 0 || ms === 0 ? null : (completed * 1000) / ms
}

function successRateOf({ completed, failed }: Ended): number | null {
  return percentage(completed, completed + failed)
}

function averageOf({ completed, duration_ms: ms }: Ended): number | null {
  return completed === 0 ? null : seconds(ms / completed)
}

function inSeconds(ms: number | null): number | null {
  return ms === null ? null : seconds(ms)
}
