import { executionGauges, type OverviewOf } from '#engine'
import type { HttpServer } from '#kernel/http'
import { invalidIdList, seesAnalytics } from '#runs'
import { orchestraPrefix } from '../../interface.ts'
import type { OrchestraOptions } from '../../route-options.ts'
import { describeMetrics, type Peak } from './describe.ts'
import { MetricsQuery, readFlowIds } from './query.ts'
import { WorkflowMetrics } from './shapes.ts'

/** How workflows run and what they cost. */
export function addWorkflowMetricsRoute(
  routes: HttpServer,
  { engine: { history }, vitals }: Pick<OrchestraOptions, 'engine' | 'vitals'>,
): void {
  /** Exact where it can be; else what samples saw, which are of all workflows together. */
  async function peakOf(overview: OverviewOf, ofAll: boolean): Promise<Peak | undefined> {
    if (overview.peak !== null) return { value: overview.peak, source: 'executions' }
    if (!ofAll) return undefined
    const { period, at } = overview
    const seen = await vitals.read({ from: period.from, to: at, grain: 'minute' })
    const value = seen.peak(executionGauges.running)
    return value === null ? undefined : { value: Math.round(value), source: 'samples' }
  }

  routes.get(
    `${orchestraPrefix}/workflow-metrics`,
    {
      config: { access: seesAnalytics },
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
      const flowIds = readFlowIds(query)
      const [unknown] = flowIds === undefined ? [] : await history.unknownFlows(flowIds)
      if (unknown !== undefined)
        throw invalidIdList('flow_ids', `has "${unknown}", and there is no such workflow`)
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
