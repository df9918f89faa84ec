import { type Static, Type } from 'typebox'
import { executionGauges, type HistoryResult, quantileMs, timeframes } from '#engine'
import { access, readIdList, units, unknownId } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { orchestraPrefix } from '../../api.ts'
import { trendOf } from '../../monitoring/numbers.ts'
import type { OrchestraOptions } from '../../route-options.ts'
import { integer, maybeInteger, maybeNumber, maybeText, number, text } from '../../schemas/values.ts'

const groupings = ['flow', 'hour', 'day'] as const
type Grouping = (typeof groupings)[number]

const maxFlows = 50

const MetricsQuery = Type.Object(
  {
    timeframe: Type.Enum([...timeframes], {
      default: '24h',
      description: 'The period up to now. It is compared with the previous period of the same length.',
    }),
    include_trends: Type.Boolean({
      default: true,
      description: 'Whether to return `trends` and the `trend` of each workflow; else they are null.',
    }),
    flow_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: maxFlows,
        description: 'Workflow ids, repeated or separated by commas. Default: all.',
      }),
    ),
    group_by: Type.Enum([...groupings], {
      default: 'flow',
      description: 'The grouping of `breakdown`. `by_workflow` and `hourly_breakdown` are always returned.',
    }),
  },
  { additionalProperties: false },
)

type MetricsQuery = Static<typeof MetricsQuery>

const flowParameter = { parameter: 'flow_ids', noun: 'workflow' }

type FlowOverview = HistoryResult<'overview'>

/** Performance and cost of workflows. */
export function addWorkflowMetricsRoute(
  routes: HttpServer,
  { engine: { history }, metricsHistory }: Pick<OrchestraOptions, 'engine' | 'metricsHistory'>,
): void {
  /** Exact if possible, else from the samples, which cover all workflows together. */
  async function peakOf(overview: FlowOverview, ofAll: boolean): Promise<Peak | undefined> {
    if (overview.peak !== null) return { value: overview.peak, source: 'executions' }
    if (!ofAll) return undefined
    const { period, at } = overview
    const seen = await metricsHistory.read({ from: period.from, to: at, grain: 'minute' })
    const value = seen.peak(executionGauges.running)
    return value === null ? undefined : { value: Math.round(value), source: 'samples' }
  }

  routes.get(
    `${orchestraPrefix}/workflow-metrics`,
    {
      config: { access: access.seesAnalytics },
      schema: {
        operationId: 'readWorkflowMetrics',
        summary: 'Get workflow metrics',
        description:
          'Counts the executions of all accounts by the time they finished. Values without data are null or empty.',
        querystring: MetricsQuery,
        response: { 200: WorkflowMetrics },
      },
    },
    async ({ query }, reply) => {
      const flowIds = readIdList(query.flow_ids, flowParameter)
      const [unknown] = flowIds === undefined ? [] : await history.unknownFlows(flowIds)
      if (unknown !== undefined) throw unknownId(unknown, flowParameter)
      const overview = await history.overview({
        timeframe: query.timeframe,
        flows: flowIds ?? 'all',
      })
      const peak = await peakOf(overview, flowIds === undefined)
      return reply
        .header('cache-control', 'no-store')
        .send(describeMetrics(overview, { query, flowIds, peak }))
    },
  )
}

/** The maximum of concurrent executions, and its source. */
interface Peak {
  readonly value: number
  readonly source: 'executions' | 'samples'
}

interface MetricsOptions {
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

const maxWorkflows = 200
const noExecutions: Ended = { executions: 0, completed: 0, failed: 0, duration_ms: 0, spent: 0 }

function describeMetrics(
  overview: FlowOverview,
  { query, flowIds, peak }: MetricsOptions,
): Static<typeof WorkflowMetrics> {
  const { total, tokens, flows, flowsBefore, hours, at } = overview
  const workflows = (flowIds ?? [...flows.keys()])
    .map((id) => ({ id, ...(flows.get(id) ?? noExecutions) }))
    .toSorted((one, other) => other.executions - one.executions || (one.id < other.id ? -1 : 1))
    .slice(0, maxWorkflows)
  return {
    metrics: {
      total_executions: total.executions,
      successful_executions: total.completed,
      failed_executions: total.failed,
      cancelled_executions: total.cancelled,
      success_rate: units.successRate(total),
      average_duration: averageDuration(total),
      median_duration: units.seconds(quantileMs(total.took, 0.5)),
      total_cost: units.dollars(total.spent),
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
          success_rate: units.successRate(workflow),
          avg_duration: averageDuration(workflow),
          cost: units.dollars(workflow.spent),
          trend: query.include_trends
            ? trendOf(workflow.executions, flowsBefore.get(workflow.id)?.executions ?? 0)
            : null,
        },
      ]),
    ),
    hourly_breakdown: hours.map((hour) => ({
      hour: hour.at.toISOString(),
      executions: hour.executions,
      success_rate: units.successRate(hour),
      avg_duration: averageDuration(hour),
    })),
    group_by: query.group_by,
    breakdown: groups[query.group_by](overview, workflows).map(({ key, ...ended }) => ({
      key,
      executions: ended.executions,
      success_rate: units.successRate(ended),
      avg_duration: averageDuration(ended),
      cost: units.dollars(ended.spent),
      cost_share: units.percentage(ended.spent, total.spent),
    })),
    timeframe: query.timeframe,
    generated_at: units.epochSeconds(at),
  }
}

type Group = Ended & { readonly key: string }

const groups: Readonly<
  Record<
    Grouping,
    (overview: FlowOverview, workflows: readonly (Ended & { readonly id: string })[]) => Group[]
  >
> = {
  flow: (_, workflows) => workflows.map(({ id, ...ended }) => ({ ...ended, key: id })),
  hour: ({ hours }) => hours.map(({ at, ...ended }) => ({ ...ended, key: at.toISOString() })),
  day: ({ days }) => days.map(({ at, ...ended }) => ({ ...ended, key: at.toISOString() })),
}

function describeTrends({ total, totalBefore }: FlowOverview, { timeframe }: MetricsQuery) {
  return {
    execution_trend: trendOf(total.executions, totalBefore.executions),
    success_rate_trend: trendOf(units.successRate(total), units.successRate(totalBefore)),
    cost_trend: trendOf(total.spent, totalBefore.spent),
    performance_trend: trendOf(speedOf(total), speedOf(totalBefore)),
    trend_period: `previous ${timeframe}`,
  }
}

/** Completed executions per second of execution time. */
function speedOf({ completed, duration_ms: ms }: Ended): number | null {
  return completed === 0 || ms === 0 ? null : (completed * 1000) / ms
}

function averageDuration({ completed, duration_ms: ms }: Ended): number | null {
  return units.seconds(units.ratio(ms, completed))
}

const successRate = maybeNumber('Percent of completed and failed executions; null without any.')
const averageDurationField = maybeNumber('Average seconds of completed executions; null without one.')
const trend = (of: string) =>
  maybeText(`${of}: change in percent against the previous period, such as \`+12.5%\`; null without one.`)

const Metrics = Type.Object({
  total_executions: integer('Executions that finished in this period.'),
  successful_executions: integer('Completed executions.'),
  failed_executions: integer('Failed executions.'),
  cancelled_executions: integer('Cancelled executions.'),
  success_rate: successRate,
  average_duration: averageDurationField,
  median_duration: maybeNumber(
    'Seconds, from a histogram, accurate to a half; null without a completed execution.',
  ),
  total_cost: number('Dollars.'),
  unpriced_executions: integer(
    'Executions with calls to models without a known price: their cost is incomplete.',
  ),
  tokens_consumed: integer('Input and output tokens.'),
  unique_workflows: integer('Workflows with a finished execution.'),
  peak_concurrent_executions: maybeInteger(
    'Maximum concurrent executions, computed from their start and end, or, if there are too many, from samples of every second; null without either.',
  ),
  peak_concurrent_source: maybeText('`executions` is exact, `samples` is sampled; null without a value.'),
})

const Trends = Type.Object({
  execution_trend: trend('Executions'),
  success_rate_trend: trend('Success rate'),
  cost_trend: trend('Cost'),
  performance_trend: trend('Speed (completed executions per time): more is faster'),
  trend_period: text('The period of comparison, such as `previous 24h`.'),
})

const Workflow = Type.Object({
  executions: integer('Finished executions.'),
  success_rate: successRate,
  avg_duration: averageDurationField,
  cost: number('Dollars.'),
  trend: trend('Executions'),
})

export const WorkflowMetrics = Type.Object(
  {
    metrics: Metrics,
    trends: Type.Union([Trends, Type.Null()], { description: 'Null unless requested.' }),
    by_workflow: Type.Record(Type.String(), Workflow, {
      description: 'By workflow id, the busiest 200; requested workflows also without executions.',
    }),
    hourly_breakdown: Type.Array(
      Type.Object({
        hour: text('Start, ISO 8601, UTC.'),
        executions: integer('Executions of the period that finished in this hour.'),
        success_rate: successRate,
        avg_duration: averageDurationField,
      }),
      { description: 'Every hour, including empty ones, the earliest first.' },
    ),
    group_by: Type.Enum([...groupings]),
    breakdown: Type.Array(
      Type.Object({
        key: text('A workflow id, or the start of the hour or day, by `group_by`.'),
        executions: integer('Finished executions.'),
        success_rate: successRate,
        avg_duration: averageDurationField,
        cost: number('Dollars.'),
        cost_share: maybeNumber('Percent of the total cost; null without costs.'),
      }),
      { description: 'By `group_by`: workflows with the busiest first, hours and days with the earliest.' },
    ),
    timeframe: text('The requested timeframe.'),
    generated_at: integer('When this was read, epoch seconds.'),
  },
  { description: 'Performance and cost of workflows.' },
)
