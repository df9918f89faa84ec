import type { LatestRun } from './flow-queries.ts'

export interface RunBar {
  readonly id: string
  readonly status: LatestRun['status']
  /** 0 to 1, of the longest. */
  readonly height: number
}

/** The minimum height of a visible bar. */
const lowest = 0.2

/** The newest executions as bars, the oldest at the left; the longer it took, the higher. */
export function runBarsOf(runs: readonly LatestRun[]): RunBar[] {
  const longest = Math.max(...runs.map(({ duration }) => duration ?? 0))
  return runs.toReversed().map(({ execution_id: id, status, duration }) => ({
    id,
    status,
    height: longest === 0 || duration === null ? lowest : Math.max(lowest, duration / longest),
  }))
}

/** The share of those that are over and completed, in percent; undefined when none is. */
export function successOf(runs: readonly LatestRun[]): number | undefined {
  const over = runs.filter(({ status }) => status === 'completed' || status === 'failed')
  if (over.length === 0) return undefined
  return (over.filter(({ status }) => status === 'completed').length / over.length) * 100
}

/** The average cost of a run; undefined without runs. */
export function costOf(runs: readonly LatestRun[]): number | undefined {
  const over = runs.filter(({ status }) => status === 'completed')
  if (over.length === 0) return undefined
  return over.reduce((sum, { cost }) => sum + cost, 0) / over.length
}
