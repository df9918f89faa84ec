import type { AgentFiguresOf } from '#engine'
import { percentage } from '#runs'
import { type AgentRuns, busiestFirst, runsOf, sumOf } from './runs.ts'

const hourMs = 3_600_000
const mostHours = 3

/** Which agents work most, and when. */
export function describeUsage(
  agents: readonly AgentRuns[],
  { hours, at }: Pick<AgentFiguresOf, 'hours' | 'at'>,
) {
  const used = busiestFirst(agents)
  const all = sumOf(used.map(({ runs }) => runs))
  const lately = Math.floor(at.getTime() / hourMs) * hourMs - 23 * hourMs
  return {
    most_used_agent: used[0]?.id ?? null,
    usage_distribution: Object.fromEntries(used.map(({ id, runs }) => [id, percentage(runs, all) ?? 0])),
    peak_usage_hours: busiestHours(hours.filter((hour) => hour.at.getTime() >= lately)).map(
      ({ hour }) => hour,
    ),
    least_used_agent: used.at(-1)?.id ?? null,
  }
}

/** The hours of the day in UTC in which most was done, the busiest first. */
export function busiestHours(hours: AgentFiguresOf['hours']) {
  const byHour = Map.groupBy(hours, ({ at }) => at.getUTCHours())
  return [...byHour]
    .map(([hour, spans]) => ({ hour, runs: sumOf(spans.map(runsOf)) }))
    .toSorted((one, other) => other.runs - one.runs || one.hour - other.hour)
    .slice(0, mostHours)
}
