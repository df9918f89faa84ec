import { type Engine, forecastHours, timeframes } from '#engine'
import {
  access,
  busiestHours,
  endedHours,
  readIdList,
  readRate,
  startOfHour,
  units,
  unknownId,
} from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import { findAlerts } from './alerts.ts'
import { compare, describeFlows, describeProviders, describeStepTypes } from './performance.ts'
import { Analytics, AnalyticsQuery, type Grouping } from './schemas.ts'
import { addUp, durationsOf, tokensOf, type View, viewStats } from './view.ts'

type History = Engine['history']
type Timeframe = (typeof timeframes)[number]

interface AnalyticsOptions {
  readonly history: Pick<History, 'stats' | 'unknownFlows'>
}

const flowParameter = { parameter: 'flow_ids', noun: 'flow' }

/** Performance and cost of flows. */
export function addAnalyticsRoutes(routes: HttpServer, { history }: AnalyticsOptions): void {
  routes.get(
    `${workflowsPrefix}/analytics/flows`,
    {
      config: { access: access.seesAnalytics, ratePolicy: readRate },
      schema: {
        operationId: 'readFlowAnalytics',
        summary: 'Get flow analytics',
        description: 'Counts executions by the time they finished. Values without data are null or empty.',
        querystring: AnalyticsQuery,
        response: { 200: Analytics },
      },
    },
    async ({ query }, reply) => {
      const flowIds = readIdList(query.flow_ids, flowParameter)
      const [unknown] = flowIds === undefined ? [] : await history.unknownFlows(flowIds)
      if (unknown !== undefined) throw unknownId(unknown, flowParameter)
      const stats = await history.stats({ timeframe: query.timeframe, flows: flowIds ?? 'all' })
      const view = viewStats(stats, flowIds)
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

function describeQuality({ stats, steps }: View) {
  const { total, errors } = stats
  const ran = steps.completed + steps.failed
  return {
    overall_success_rate: units.successRate(total),
    step_success_rate: units.successRate(steps),
    average_quality_score: units.round(units.ratio(steps.quality_sum, steps.quality_count), 2),
    average_confidence: units.round(units.ratio(steps.confidence_sum, steps.confidence_count), 4),
    judged_outputs: steps.quality_count,
    retry_rate:
      ran === 0 ? null : units.percentage(Math.max(0, steps.attempts - ran), Math.max(steps.attempts, ran)),
    failure_causes: errors.map(({ code, executions }) => ({
      code,
      executions,
      share: units.percentage(executions, total.failed),
    })),
  }
}

const monthMs = 30 * 86_400_000

function describeCosts(view: View, { grouping }: { readonly grouping: Grouping | undefined }) {
  const { total, totalBefore, period, at } = view.stats
  const length = at.getTime() - period.from.getTime()
  const projected = total.executions === 0 ? null : (total.spent / length) * monthMs
  const ofSteps = units.sum([...view.stats.stepTypes.values()].map(({ spent }) => spent))
  const { flow, provider } = { flow: dearest(view, 'flow'), provider: dearest(view, 'provider') }
  return {
    total_cost: units.dollars(total.spent),
    average_cost_per_execution: units.dollars(units.ratio(total.spent, total.executions)),
    cost_per_successful_execution: units.dollars(units.ratio(total.spent, total.completed)),
    cost_without_result: units.dollars(total.spent - total.completed_spent),
    previous_cost: units.dollars(totalBefore.spent),
    cost_change: units.percentChange(total.spent, totalBefore.spent),
    projected_monthly_cost: units.dollars(projected),
    unassigned_cost: units.dollars(Math.max(0, total.spent - ofSteps)),
    unpriced_executions: total.unpriced,
    most_expensive_flow: flow,
    most_expensive_provider: provider,
    cost_breakdown: grouping === undefined ? null : byCost(view, grouping),
  }
}

function byCost(view: View, grouping: Grouping) {
  return groupStats(view, grouping).toSorted((one, other) => other.total_cost - one.total_cost)
}

function dearest(view: View, grouping: Grouping): string | null {
  const [first] = byCost(view, grouping)
  return first === undefined || first.total_cost === 0 ? null : first.key
}

const maxFlows = 5

/** Usage by account, flow and time. */
function describeUsers({ stats, flows }: View) {
  const { total, accounts, accountCount, returningAccounts } = stats
  return {
    active_users: accountCount,
    returning_users: returningAccounts,
    executions_per_user: units.round(units.ratio(total.executions, accountCount), 2),
    most_active_users: accounts.map(({ account_id, executions, completed, failed, spent }) => ({
      account_id,
      executions,
      success_rate: units.successRate({ completed, failed }),
      total_cost: units.dollars(spent),
    })),
    popular_flows: flows.slice(0, maxFlows).map(({ id, executions }) => ({
      flow_id: id,
      executions,
      share: units.percentage(executions, total.executions),
    })),
    peak_hours: peakHours(stats),
    batch_share: units.percentage(total.batches, total.executions),
  }
}

/** The busiest hours of the period, which is extended to whole hours. */
function peakHours({ hours, period }: View['stats']) {
  const from = startOfHour(period.from)
  return busiestHours(
    hours.filter(({ at }) => at >= from),
    ({ executions }) => executions,
  ).map(({ hour, count }) => ({ hour, executions: count }))
}

function summarise(
  view: View,
  { timeframe, group_by: grouping }: { readonly timeframe: Timeframe; readonly group_by: Grouping },
) {
  const { total, period, at, accountCount } = view.stats
  const { steps } = view
  return {
    timeframe,
    period: { from: units.epochSeconds(period.from), to: units.epochSeconds(at) },
    total_executions: total.executions,
    completed_executions: total.completed,
    failed_executions: total.failed,
    cancelled_executions: total.cancelled,
    success_rate: units.successRate(total),
    ...durationsOf(total),
    average_queue_time: units.seconds(units.ratio(total.queued_ms, total.begun)),
    total_cost: units.dollars(total.spent),
    unpriced_executions: total.unpriced,
    total_tokens: tokensOf(steps),
    total_ai_calls: steps.ai_calls,
    cache_hit_rate: units.percentage(steps.cache_hits, steps.ai_calls),
    agent_decisions: total.decisions,
    batch_executions: total.batches,
    batch_items: total.batch_items,
    unique_flows: view.flows.length,
    active_users: accountCount,
    group_by: grouping,
    breakdown: groupStats(view, grouping).slice(0, maxGroups),
    generated_at: units.epochSeconds(at),
  }
}

const maxGroups = 200

const hourMs = 3_600_000
const horizonHours = 24

/** The forecast of the next day, from the hours of the last weeks; null without enough of them. */
function predict({ stats }: View) {
  const hours = endedHours(stats.hours, stats.at)
  const executions = forecastHours(
    hours.map((hour) => hour?.executions ?? 0),
    horizonHours,
  )
  if (executions === undefined) return null
  const costs = forecastHours(
    hours.map((hour) => hour?.spent ?? 0),
    horizonHours,
  )
  const failed = units.sum(hours.map((hour) => hour?.failed ?? 0))
  const ended = units.sum(hours.map((hour) => hour?.executions ?? 0))
  const expected = units.sum(executions.expected)
  const thisHour = startOfHour(stats.at).getTime()
  const hourly = executions.expected.map((value, index) => ({
    at: units.epochSeconds(new Date(thisHour + index * hourMs)),
    executions: units.round(value, 2),
    low: units.round(Math.max(0, value - executions.margin), 2),
    high: units.round(value + executions.margin, 2),
  }))
  const [busiest] = hourly.toSorted((one, other) => other.executions - one.executions)
  return {
    method: 'exponential smoothing with seasons over hourly sums',
    season_hours: executions.seasonHours,
    based_on_hours: hours.length,
    horizon_hours: horizonHours,
    expected_executions: units.round(expected, 2),
    expected_cost: costs === undefined ? null : units.dollars(units.sum(costs.expected)),
    expected_failures: units.round(ended === 0 ? 0 : (expected * failed) / ended, 2),
    peak: { at: busiest?.at ?? units.epochSeconds(stats.at), executions: busiest?.executions ?? 0 },
    hourly,
    confidence: units.round(1 - executions.dayError, 4),
  }
}

interface Counted {
  readonly key: string
  readonly count: number
  readonly completed: number
  readonly failed: number
  /** The average over completed executions, or over all calls. */
  readonly averageMs: number | null
  readonly tokens: number
  readonly spent: number
}

/** The numbers by flow, step type or provider; the busiest first. */
function groupStats(view: View, grouping: Grouping) {
  const all = counters[grouping](view)
  const spent = all.reduce((sum, group) => sum + group.spent, 0)
  return all
    .toSorted((one, other) => other.count - one.count || (one.key < other.key ? -1 : 1))
    .map((group) => ({
      key: group.key,
      count: group.count,
      success_rate: units.successRate(group),
      average_duration: units.seconds(group.averageMs),
      tokens_used: group.tokens,
      total_cost: units.dollars(group.spent),
      cost_share: units.percentage(group.spent, spent),
    }))
}

const counters: Readonly<Record<Grouping, (view: View) => readonly Counted[]>> = {
  flow: ({ flows, stepsOf }) =>
    flows.map(({ id, executions, completed, failed, duration_ms, spent }) => ({
      key: id,
      count: executions,
      completed,
      failed,
      averageMs: units.ratio(duration_ms, completed),
      tokens: tokensOf(addUp(stepsOf(id), ['input_tokens', 'output_tokens'])),
      spent,
    })),
  step_type: ({ stats }) =>
    [...stats.stepTypes].map(([type, { completed, failed, duration_ms, spent, ...sums }]) => ({
      key: type,
      count: completed + failed,
      completed,
      failed,
      averageMs: units.ratio(duration_ms, completed),
      tokens: tokensOf(sums),
      spent,
    })),
  provider: ({ providers }) =>
    [...providers].map(([provider, { completed, failed, ai_ms, ai_calls, spent, ...sums }]) => ({
      key: provider,
      count: completed + failed,
      completed,
      failed,
      averageMs: units.ratio(ai_ms, ai_calls),
      tokens: tokensOf(sums),
      spent,
    })),
}
