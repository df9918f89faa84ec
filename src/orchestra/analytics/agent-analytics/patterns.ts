import type { HistoryResult } from '#engine'
import { busiestHours, startOfHour, units } from '#executions-api'

type StepSums = NonNullable<ReturnType<HistoryResult<'agents'>['get']>>

type AgentStatistics = HistoryResult<'agentStats'>

const dayMs = 86_400_000
const weeks = 4
const maxWorkflows = 10

/** Busy hours, workflows, failures and seasons of agents. */
export function describePatterns(stats: AgentStatistics) {
  const { hours, flows, errors } = stats
  const failures = units.sum(errors.map(({ executions }) => executions))
  const byCode = Map.groupBy(errors, ({ code }) => code)
  return {
    peak_hours: Object.fromEntries(
      busiestHours(hours, runsOf).map(({ hour, count }) => [`${String(hour).padStart(2, '0')}:00`, count]),
    ),
    common_workflows: Object.fromEntries(
      flows.slice(0, maxWorkflows).map(({ flowId, executions }) => [flowId, executions]),
    ),
    failure_patterns: Object.fromEntries(
      [...byCode]
        .map(([code, some]) => [code, units.sum(some.map(({ executions }) => executions)), some] as const)
        .toSorted(([, one], [, other]) => other - one)
        .map(([code, executions, some]) => [
          code,
          {
            executions,
            share: units.percentage(executions, failures) ?? 0,
            workflows: some.slice(0, maxWorkflows).map(({ flowId }) => flowId),
          },
        ]),
    ),
    seasonal_trends: describeSeasons(stats),
  }
}

/** From the complete days of the last four weeks, or since the first known day. */
function describeSeasons({ days, at }: Pick<AgentStatistics, 'days' | 'at'>) {
  const today = Math.floor(at.getTime() / dayMs) * dayMs
  const [first] = days
  const from = Math.max(today - 7 * weeks * dayMs, first?.at.getTime() ?? today)
  const known = new Map(days.map((day) => [day.at.getTime(), runsOf(day)]))
  const all = Array.from({ length: (today - from) / dayMs }, (_, index) => new Date(from + index * dayMs))
  const averageOf = (some: readonly Date[]) =>
    some.length === 0
      ? null
      : units.round(units.sum(some.map((day) => known.get(day.getTime()) ?? 0)) / some.length, 3)
  const byMonth = Map.groupBy(days, (day) => day.at.toISOString().slice(0, 7))
  return {
    weekday_avg: averageOf(all.filter((day) => !isWeekend(day))),
    weekend_avg: averageOf(all.filter(isWeekend)),
    monthly_pattern: Object.fromEntries(
      [...byMonth].map(([month, some]) => [month, units.sum(some.map(runsOf))]),
    ),
  }
}

function isWeekend(day: Date): boolean {
  return day.getUTCDay() % 6 === 0
}

/** An agent and the sums of its runs in a period. */
export interface AgentRuns {
  readonly id: string
  /** Undefined without runs. */
  readonly sums: StepSums | undefined
}

/** Completed and failed runs. */
export function runsOf(sums: Pick<StepSums, 'completed' | 'failed'> | undefined): number {
  return sums === undefined ? 0 : sums.completed + sums.failed
}

/** Agents with runs, the busiest first. */
export function busiestFirst(agents: readonly AgentRuns[]) {
  return agents
    .flatMap(({ id, sums }) => (sums === undefined ? [] : [{ id, sums, runs: runsOf(sums) }]))
    .toSorted((one, other) => other.runs - one.runs || (one.id < other.id ? -1 : 1))
}

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
