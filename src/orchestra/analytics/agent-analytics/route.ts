import type { AgentFiguresOf } from '#engine'
import type { HttpServer } from '#kernel/http'
import { epochSeconds, invalidIdList, seesAnalytics } from '#runs'
import { orchestraPrefix } from '../../interface.ts'
import type { OrchestraOptions } from '../../route-options.ts'
import { describeCosts } from './costs.ts'
import { describePatterns } from './patterns.ts'
import { describePerformance } from './performance.ts'
import { AnalyticsQuery, readAgentIds } from './query.ts'
import type { AgentRuns } from './runs.ts'
import { scoreAgents } from './scores.ts'
import { AgentAnalytics } from './shapes.ts'
import { describeUsage } from './usage.ts'

/** How agents do and what they cost. */
export function addAgentAnalyticsRoute(
  routes: HttpServer,
  { agents, engine: { history } }: Pick<OrchestraOptions, 'agents' | 'engine'>,
): void {
  routes.get(
    `${orchestraPrefix}/agent-analytics`,
    {
      config: { access: seesAnalytics },
      schema: {
        operationId: 'readAgentAnalytics',
        summary: 'How agents do and what they cost',
        description:
          'Counts the steps that agents did in executions of everybody, by the moment the execution ended; of the last 24 hours unless a field says otherwise. What there is no data for is null or empty.',
        querystring: AnalyticsQuery,
        response: { 200: AgentAnalytics },
      },
    },
    async ({ query }, reply) => {
      const ids = readAgentIds(query)
      const [listed, figures] = await Promise.all([agents.list(), history.agentFigures({ ids })])
      const known = listed.map(({ id }) => id)
      const unknown = ids?.find((id) => !known.includes(id) && !figures.agents.has(id))
      if (unknown !== undefined)
        throw invalidIdList('agent_ids', `has "${unknown}", and there is no such agent`)
      const runs = together(ids ?? known, figures)
      return reply.header('cache-control', 'no-store').send({
        analytics: {
          performance_metrics: describePerformance(runs),
          usage_statistics: describeUsage(runs, figures),
          cost_analysis: query.include_costs ? describeCosts(runs, figures) : null,
          recommendation_scores: query.include_recommendations ? scoreAgents(runs) : null,
          execution_patterns: describePatterns(figures),
        },
        timestamp: epochSeconds(figures.at),
        ...describeFreshness(figures),
      })
    },
  )
}

/** Those that are asked for, and those that worked and are gone since. */
function together(ids: readonly string[], { agents }: AgentFiguresOf): readonly AgentRuns[] {
  return [...new Set([...ids, ...agents.keys()])].sort().map((id) => ({ id, sums: agents.get(id) }))
}

/** So old the sums may be and still hold everything that had ended: adding up is part of answering. */
const freshMs = 5000

function describeFreshness({ at, completeAt }: AgentFiguresOf) {
  if (completeAt === null) return { data_freshness: null, cache_status: 'stale' }
  const ageMs = Math.max(0, at.getTime() - completeAt.getTime())
  return { data_freshness: Math.round(ageMs / 1000), cache_status: ageMs <= freshMs ? 'fresh' : 'stale' }
}
