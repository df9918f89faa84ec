import type { History } from '#engine'
import type { HttpServer } from '#kernel/http'
import { invalidIdList, readRate, seesAnalytics } from '#runs'
import { workflowsPrefix } from '../../interface.ts'
import { findAlerts } from './alerts.ts'
import { describeUsers } from './behavior.ts'
import { compare } from './benchmarks.ts'
import { describeCosts } from './costs.ts'
import { describeFlows, describeProviders, describeStepTypes } from './performance.ts'
import { predict } from './predictions.ts'
import { describeQuality } from './quality.ts'
import { AnalyticsQuery, readFlowIds } from './query.ts'
import { Analytics } from './shapes.ts'
import { summarise } from './summary.ts'
import { viewFigures } from './view.ts'

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
