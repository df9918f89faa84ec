import type { CSSProperties } from 'react'
import { stateWords } from '../executions/execution-words.ts'
import type { LatestRun } from './flow-queries.ts'
import styles from './WorkflowsPage.module.css'

interface RunBar {
  readonly id: string
  readonly status: LatestRun['status']
  /** The share of the longest duration, 0 to 1. */
  readonly height: number
}

/** The minimum height of a visible bar. */
const lowest = 0.2

/** The newest executions as bars, oldest at the left; the height is the duration. */
export function runBarsOf(runs: readonly LatestRun[]): RunBar[] {
  const longest = Math.max(...runs.map(({ duration }) => duration ?? 0))
  return runs.toReversed().map(({ execution_id: id, status, duration }) => ({
    id,
    status,
    height: longest === 0 || duration === null ? lowest : Math.max(lowest, duration / longest),
  }))
}

/** The newest executions of a flow as a small bar chart. */
export function RunBars({ runs }: { runs: readonly LatestRun[] }) {
  if (runs.length === 0) return <span className={styles['none']}>none</span>
  return (
    <span className={styles['bars']} role="img" aria-label={describe(runs)} title={describe(runs)}>
      {runBarsOf(runs).map(({ id, status, height }) => (
        <span key={id} data-status={status} style={{ '--height': `${height * 100}%` } as CSSProperties} />
      ))}
    </span>
  )
}

function describe(runs: readonly LatestRun[]): string {
  const counts = Map.groupBy(runs, ({ status }) => status)
  return [...counts]
    .map(([status, some]) => `${some.length} ${stateWords[status].word.toLowerCase()}`)
    .join(', ')
}
