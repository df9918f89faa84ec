import type { HistoryResult } from '#engine'
import { busiestHours, units } from '#executions-api'
import { runsOf } from './runs.ts'

type AgentStatistics = HistoryResult<'agentFigures'>

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
