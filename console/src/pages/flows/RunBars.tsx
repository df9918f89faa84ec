import type { CSSProperties } from 'react'
import { stateWords } from '../executions/execution-words.ts'
import type { LatestRun } from './flow-bodies.ts'
import styles from './RunBars.module.css'
import { runBarsOf } from './run-bars.ts'

/** The newest executions of a flow at a glance. */
export function RunBars({ runs }: { runs: readonly LatestRun[] }) {
  if (runs.length === 0) return <span className={styles['none']}>none yet</span>
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
