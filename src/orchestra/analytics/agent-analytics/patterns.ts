import type { AgentFiguresOf } from '#engine'
import { percentage, rounded } from '#runs'
import { runsOf, sumOf } from './runs.ts'
import { busiestHours } from './usage.ts'

const dayMs = 86_400_000
const weeks = 4
const mostWorkflows = 10

/** When and where agents work, and why that fails. */
export function describePatterns(figures: AgentFiguresOf) {
  const { hours, flows, errors } = figures
  const failures = sumOf(errors.map(({ executions }) => executions))
  const byCode = Map.groupBy(errors, ({ code }) => code)
  return {
    peak_hours: Object.fromEntries(
      busiestHours(hours).map(({ hour, runs }) => [`${String(hour).padStart(2, '0')}:00`, runs]),
    ),
    common_workflows: Object.fromEntries(
      flows.slice(0, mostWorkflows).map(({ flowId, executions }) => [flowId, executions]),
    ),
    failure_patterns: Object.fromEntries(
      [...byCode]
        .map(([code, some]) => [code, sumOf(some.map(({ executions }) => executions)), some] as const)
        .toSorted(([, one], [, other]) => other - one)
        .map(([code, executions, some]) => [
          code,
          {
            executions,
            share: percentage(executions, failures) ?? 0,
            workflows: some.slice(0, mostWorkflows).map(({ flowId }) => flowId),
          },
        ]),
    ),
    seasonal_trends: describeSeasons(figures),
  }
}

/** By the days that are over, of the last four weeks or since anything is known. */
function describeSeasons({ days, at }: Pick<AgentFiguresOf, 'days' | 'at'>) {
  const today = Math.floor(at.getTime() / dayMs) * dayMs
  const [first] = days
  const from = Math.max(today - 7 * weeks * dayMs, first?.at.getTime() ?? today)
  const known = new Map(days.map((day) => [day.at.getTime(), runsOf(day)]))
  const all = Array.from({ length: (today - from) / dayMs }, (_, index) => new Date(from + index * dayMs))
  const averageOf = (some: readonly Date[]) =>
    some.length === 0 ? null : rounded(sumOf(some.map((day) => known.get(day.getTime()) ?? 0)) / some.length)
  const byMonth = Map.groupBy(days, (day) => day.at.toISOString().slice(0, 7))
  return {
    weekday_avg: averageOf(all.filter((day) => !isWeekend(day))),
    weekend_avg: averageOf(all.filter(isWeekend)),
    monthly_pattern: Object.fromEntries(
      [...byMonth].map(([month, some]) => [month, sumOf(some.map(runsOf))]),
    ),
  }
}

function isWeekend(day: Date): boolean {
  return day.getUTCDay() % 6 === 0
}
