import { type Engine, forecastHours, timeframes } from '#engine'
import { invalidIdList, readRate, seesAnalytics } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../interface.ts'
import { findAlerts } from './alerts.ts'
import { compare } from './benchmarks.ts'
import { groupFigures } from './groups.ts'
import {
  averageOf,
  changeOf,
  dollarsOf,
  durationsOf,
  epochSeconds,
  percentOf,
  round,
  secondsOf,
  successRateOf,
  tokensOf,
} from './numbers.ts'
import { describeFlows, describeProviders, describeStepTypes } from './performance.ts'
import { AnalyticsQuery, type Grouping, readFlowIds } from './query.ts'
import { Analytics } from './shapes.ts'
import { type View, viewFigures } from './view.ts'

type History = Engine['history']
type Timeframe = (typeof timeframes)[number]

interface AnalyticsOptions {
  readonly history: Pick<History, 'figures' | 'unknownFlows'>
}

/** How flows run and what they cost. */
export function addAnalyticsRoutes(routes: HttpServer, { history }: AnalyticsOptions): void {
  routes.get(
    `${workflowsPrefix}/analytics/flows`,
    {
      config: { access: seesAnalytics, ratePolicy: readRate },
      schema: {
        operationId: 'readFlowAnalytics',
        summary: 'How flows run and what they cost',
        description:
          'Counts executions by the moment they ended, up to this one. It is read from sums that are kept, so it takes no longer with a million executions. What there is no data for is null or empty.',
        querystring: AnalyticsQuery,
        response: { 200: Analytics },
      },
    },
    async ({ query }, reply) => {
      const flowIds = readFlowIds(query.flow_ids)
      const [unknown] = flowIds === undefined ? [] : await history.unknownFlows(flowIds)
      if (unknown !== undefined)
        throw invalidIdList('flow_ids', `has "${unknown}", and there is no such flow`)
      const figures = await history.figures({ timeframe: query.timeframe, flows: flowIds ?? 'all' })
      const view = viewFigures(figures, flowIds)
      return reply.header('cache-control', 'no-store').send({
        analytics_summary: summarise(view, query),
        flow_performance: describeFlows(view),
        step_type_analysis: describeStepTypes(view),
        provider_analysis: describeProviders(view),
        user_behavior_insights: describeUsers(view),
        cost_analysis: describeCosts(view, {
          grouping: query.include_cost_breakdown ? query.group_by : undefined,
        }),
        quality_metrics: describeQuality(view),
        predictions: query.include_predictions ? predict(view) : null,
        benchmark_comparisons: compare(view),
        alert_recommendations: findAlerts(view),
      })
    },
  )
}

function describeQuality({ figures, steps }: View) {
  const { total, errors } = figures
  const ran = steps.completed + steps.failed
  return {
    overall_success_rate: successRateOf(total),
    step_success_rate: successRateOf(steps),
    average_quality_score: round(averageOf(steps.quality_sum, steps.quality_count), 2),
    average_confidence: round(averageOf(steps.confidence_sum, steps.confidence_count), 4),
    judged_outputs: steps.quality_count,
    retry_rate:
      ran === 0 ? null : percentOf(Math.max(0, steps.attempts - ran), Math.max(steps.attempts, ran)),
    failure_causes: errors.map(({ code, executions }) => ({
      code,
      executions,
      share: percentOf(executions, total.failed),
    })),
  }
}

const monthMs = 30 * 86_400_000

function describeCosts(view: View, { grouping }: { readonly grouping: Grouping | undefined }) {
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

const maxFlows = 5
const maxHours = 3

/** Who runs what, and when. */
function describeUsers({ figures, flows }: View) {
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
    popular_flows: flows.slice(0, maxFlows).map(({ id, executions }) => ({
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
    .slice(0, maxHours)
}

function summarise(
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
    breakdown: groupFigures(view, grouping).slice(0, maxGroups),
    generated_at: epochSeconds(at),
  }
}

const maxGroups = 200

const hourMs = 3_600_000
const horizonHours = 24

/** The next day, from the hours of the last weeks; null without enough of them. */
function predict({ figures }: View) {
  const thisHour = Math.floor(figures.at.getTime() / hourMs) * hourMs
  const past = figures.hours.filter(({ at }) => at.getTime() < thisHour)
  const [first] = past
  if (first === undefined) return null
  const length = (thisHour - first.at.getTime()) / hourMs
  const byHour = new Map(past.map((hour) => [hour.at.getTime(), hour]))
  // The hour that is under way is not over, and would look like a quiet one.
  const series = Array.from({ length }, (_, index) => byHour.get(first.at.getTime() + index * hourMs))
  const executions = forecastHours(
    series.map((hour) => hour?.executions ?? 0),
    horizonHours,
  )
  if (executions === undefined) return null
  const costs = forecastHours(
    series.map((hour) => hour?.spent ?? 0),
    horizonHours,
  )
  const [failed, ended] = [sumOf(past.map((hour) => hour.failed)), sumOf(past.map((hour) => hour.executions))]
  const expected = sumOf(executions.expected)
  const hourly = executions.expected.map((value, index) => ({
    at: epochSeconds(new Date(thisHour + index * hourMs)),
    executions: round(value, 2),
    low: round(Math.max(0, value - executions.margin), 2),
    high: round(value + executions.margin, 2),
  }))
  const [busiest] = hourly.toSorted((one, other) => other.executions - one.executions)
  return {
    method: 'exponential smoothing with seasons over hourly sums',
    season_hours: executions.seasonHours,
    based_on_hours: length,
    horizon_hours: horizonHours,
    expected_executions: round(expected, 2),
    expected_cost: costs === undefined ? null : dollarsOf(sumOf(costs.expected)),
    expected_failures: round(ended === 0 ? 0 : (expected * failed) / ended, 2),
    peak: { at: busiest?.at ?? epochSeconds(figures.at), executions: busiest?.executions ?? 0 },
    hourly,
    confidence: round(1 - executions.dayError, 4),
  }
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
