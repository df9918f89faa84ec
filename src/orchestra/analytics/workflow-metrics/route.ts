import { type Static, Type } from 'typebox'
import { executionGauges, type HistoryResult, quantileMs } from '#engine'
import { access, readIdList, units, unknownId } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { orchestraPrefix } from '../../interface.ts'
import { trendOf } from '../../monitoring/numbers.ts'
import type { OrchestraOptions } from '../../route-options.ts'
import { integer, maybeInteger, maybeNumber, maybeText, number, text } from '../../schemas/values.ts'
import { type Grouping, groupings, MetricsQuery } from './query.ts'

const flowParameter = { parameter: 'flow_ids', noun: 'workflow' }

type OverviewOf = HistoryResult<'overview'>

/** How workflows run and what they cost. */
export function addWorkflowMetricsRoute(
  routes: HttpServer,
  { engine: { history }, metricsHistory }: Pick<OrchestraOptions, 'engine' | 'metricsHistory'>,
): void {
  /** Exact where it can be; else what samples saw, which are of all workflows together. */
  async function peakOf(overview: OverviewOf, ofAll: boolean): Promise<Peak | undefined> {
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
        summary: 'How workflows run and what they cost',
        description:
          'Counts executions of everybody by the moment they ended, up to this one. What there is no data for is null or empty.',
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

/** The most that ran at once, and where it was seen. */
interface Peak {
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

const maxWorkflows = 200
const nothing: Ended = { executions: 0, completed: 0, failed: 0, duration_ms: 0, spent: 0 }

/** Says how workflows did in the words of the interface. */
function describeMetrics(
  overview: OverviewOf,
  { query, flowIds, peak }: Asked,
): Static<typeof WorkflowMetrics> {
  const { total, tokens, flows, flowsBefore, hours, at } = overview
  const workflows = (flowIds ?? [...flows.keys()])
    .map((id) => ({ id, ...(flows.get(id) ?? nothing) }))
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
  Record<Grouping, (overview: OverviewOf, workflows: readonly (Ended & { readonly id: string })[]) => Group[]>
> = {
  flow: (_, workflows) => workflows.map(({ id, ...ended }) => ({ ...ended, key: id })),
  hour: ({ hours }) => hours.map(({ at, ...ended }) => ({ ...ended, key: at.toISOString() })),
  day: ({ days }) => days.map(({ at, ...ended }) => ({ ...ended, key: at.toISOString() })),
}

function describeTrends({ total, totalBefore }: OverviewOf, { timeframe }: MetricsQuery) {
  return {
    execution_trend: trendOf(total.executions, totalBefore.executions),
    success_rate_trend: trendOf(units.successRate(total), units.successRate(totalBefore)),
    cost_trend: trendOf(total.spent, totalBefore.spent),
    performance_trend: trendOf(speedOf(total), speedOf(totalBefore)),
    trend_period: `previous ${timeframe}`,
  }
}

/** How many would complete in a second, one after the other. */
function speedOf({ completed, duration_ms: ms }: Ended): number | null {
  return completed === 0 || ms === 0 ? null : (completed * 1000) / ms
}

function averageDuration({ completed, duration_ms: ms }: Ended): number | null {
  return units.seconds(units.ratio(ms, completed))
}

const successRate = maybeNumber('Percent of those that completed or failed; null when none did.')
const averageDurationField = maybeNumber('Seconds, of the completed ones; null when none completed.')
const trend = (of: string) =>
  maybeText(
    `${of}: percent with its sign against the time before, such as \`+12.5%\`; null when there was none.`,
  )

const Metrics = Type.Object({
  total_executions: integer('Executions that ended in this time.'),
  successful_executions: integer('Those that completed.'),
  failed_executions: integer('Those that failed.'),
  cancelled_executions: integer('Those that were cancelled.'),
  success_rate: successRate,
  average_duration: averageDurationField,
  median_duration: maybeNumber(
    'Seconds, from counts between fixed bounds, so off by up to a half; null when none completed.',
  ),
  total_cost: number('Dollars.'),
  unpriced_executions: integer('Those that asked models without a known price: their cost is not complete.'),
  tokens_consumed: integer('Read and written by models.'),
  unique_workflows: integer('Workflows of which an execution ended.'),
  peak_concurrent_executions: maybeInteger(
    'The most executions that ran at the same time. Counted from their begins and ends, or, where there are too many of them, the most that were seen in samples of every second; null when neither is there.',
  ),
  peak_concurrent_source: maybeText(
    '`executions` is exact, `samples` is what was seen; null without a number.',
  ),
})

const Trends = Type.Object({
  execution_trend: trend('Executions'),
  success_rate_trend: trend('Rate of success'),
  cost_trend: trend('Cost'),
  performance_trend: trend('Speed, which is how many would complete in the same time: more is faster'),
  trend_period: text('What it is compared with, such as `previous 24h`.'),
})

const Workflow = Type.Object({
  executions: integer('That ended.'),
  success_rate: successRate,
  avg_duration: averageDurationField,
  cost: number('Dollars.'),
  trend: trend('Executions'),
})

export const WorkflowMetrics = Type.Object(
  {
    metrics: Metrics,
    trends: Type.Union([Trends, Type.Null()], { description: 'Null unless asked for.' }),
    by_workflow: Type.Record(Type.String(), Workflow, {
      description:
        'By the id of the workflow, the busiest 200; those that were asked for also when nothing ran.',
    }),
    hourly_breakdown: Type.Array(
      Type.Object({
        hour: text('When it begins, ISO 8601, UTC.'),
        executions: integer('That ended in this hour and belong to the time asked for.'),
        success_rate: successRate,
        avg_duration: averageDurationField,
      }),
      { description: 'Every hour, quiet ones included, the earliest first.' },
    ),
    group_by: Type.Enum([...groupings]),
    breakdown: Type.Array(
      Type.Object({
        key: text('A workflow, or when the hour or day begins, by `group_by`.'),
        executions: integer('That ended.'),
        success_rate: successRate,
        avg_duration: averageDurationField,
        cost: number('Dollars.'),
        cost_share: maybeNumber('Percent of all cost; null when nothing cost anything.'),
      }),
      { description: 'By `group_by`: workflows with the busiest first, hours and days with the earliest.' },
    ),
    timeframe: text('The time that was asked for.'),
    generated_at: integer('When this was read, epoch seconds.'),
  },
  { description: 'How workflows run and what they cost.' },
)
