import type { AgentFiguresOf } from '#engine'
import { dollars, rounded } from '#runs'
import { trendOf } from '../../monitoring/numbers.ts'
import { dailyAverage, projectMonth } from './project-month.ts'
import { type AgentRuns, busiestFirst, sumOf } from './runs.ts'

/** What the work of agents costs: their models, and what they charge themselves. */
export function describeCosts(agents: readonly AgentRuns[], figures: AgentFiguresOf) {
  const used = busiestFirst(agents).toSorted((one, other) => other.sums.spent - one.sums.spent)
  const spent = sumOf(used.map(({ sums }) => sums.spent))
  const before = sumOf([...figures.agentsBefore.values()].map((sums) => sums.spent))
  const runs = sumOf(used.map((agent) => agent.runs))
  const average = dailyAverage(figures.hours, figures.at)
  const projection = projectMonth(figures.hours, figures.at)
  const [dearest] = used
  return {
    total_cost_24h: dollars(spent),
    cost_per_execution: runs === 0 ? null : dollars(spent / runs),
    most_expensive_agent: dearest === undefined || dearest.sums.spent === 0 ? null : dearest.id,
    cost_breakdown: Object.fromEntries(used.map(({ id, sums }) => [id, dollars(sums.spent)])),
    cost_trends: {
      '24h_change': trendOf(spent, before),
      '7d_average': average === null ? null : dollars(average),
      projected_monthly: projection === null ? null : dollars(projection.microDollars),
      projection_method: projection?.method ?? null,
      projection_confidence:
        projection === null || projection.confidence === null ? null : rounded(projection.confidence),
    },
  }
}
