import { units } from '#executions-api'
import { addUp, tokensOf } from './numbers.ts'
import type { Grouping } from './query.ts'
import type { View } from './view.ts'

interface Counted {
  readonly key: string
  readonly count: number
  readonly completed: number
  readonly failed: number
  /** Of the completed ones, or of all calls. */
  readonly averageMs: number | null
  readonly tokens: number
  readonly spent: number
}

/** The numbers told apart by flow, type of step or provider; the busiest first. */
export function groupFigures(view: View, grouping: Grouping) {
  const all = counters[grouping](view)
  const spent = all.reduce((sum, group) => sum + group.spent, 0)
  return all
    .toSorted((one, other) => other.count - one.count || (one.key < other.key ? -1 : 1))
    .map((group) => ({
      key: group.key,
      count: group.count,
      success_rate: units.successRate(group),
      average_duration: units.seconds(group.averageMs),
      tokens_used: group.tokens,
      total_cost: units.dollars(group.spent),
      cost_share: units.percentage(group.spent, spent),
    }))
}

const counters: Readonly<Record<Grouping, (view: View) => readonly Counted[]>> = {
  flow: ({ flows, stepsOf }) =>
    flows.map(({ id, executions, completed, failed, duration_ms, spent }) => ({
      key: id,
      count: executions,
      completed,
      failed,
      averageMs: units.ratio(duration_ms, completed),
      tokens: tokensOf(addUp(stepsOf(id), ['input_tokens', 'output_tokens'])),
      spent,
    })),
  step_type: ({ figures }) =>
    [...figures.stepTypes].map(([type, { completed, failed, duration_ms, spent, ...sums }]) => ({
      key: type,
      count: completed + failed,
      completed,
      failed,
      averageMs: units.ratio(duration_ms, completed),
      tokens: tokensOf(sums),
      spent,
    })),
  provider: ({ providers }) =>
    [...providers].map(([provider, { completed, failed, ai_ms, ai_calls, spent, ...sums }]) => ({
      key: provider,
      count: completed + failed,
      completed,
      failed,
      averageMs: units.ratio(ai_ms, ai_calls),
      tokens: tokensOf(sums),
      spent,
    })),
}
