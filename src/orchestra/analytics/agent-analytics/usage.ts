import type { HistoryResult } from '#engine'
import { busiestHours, startOfHour, units } from '#executions-api'
import { type AgentRuns, busiestFirst, runsOf } from './runs.ts'

type AgentStatistics = HistoryResult<'agentFigures'>

const hourMs = 3_600_000

/** The most and least used agents, and the busiest hours. */
export function describeUsage(
  agents: readonly AgentRuns[],
  { hours, at }: Pick<AgentStatistics, 'hours' | 'at'>,
) {
  const used = busiestFirst(agents)
  const all = units.sum(used.map(({ runs }) => runs))
  const from = startOfHour(at).getTime() - 23 * hourMs
  return {
    most_used_agent: used[0]?.id ?? null,
    usage_distribution: Object.fromEntries(
      used.map(({ id, runs }) => [id, units.percentage(runs, all) ?? 0]),
    ),
    peak_usage_hours: busiestHours(
      hours.filter((hour) => hour.at.getTime() >= from),
      runsOf,
    ).map(({ hour }) => hour),
    least_used_agent: used.at(-1)?.id ?? null,
  }
}
