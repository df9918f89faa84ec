import { Link } from '@tanstack/react-router'
import { Section } from '../../../parts/Section.tsx'
import { Status } from '../../../parts/Status.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import type { ExecutionEntry } from '../../executions/execution-queries.ts'
import { describeExecution } from '../../executions/execution-words.ts'
import { ProgressBar } from '../../executions/ProgressBar.tsx'
import { ExecutionLink } from './ExecutionLink.tsx'
import styles from './today.module.css'
import { describeCount } from './today-words.ts'
import type { Today } from './use-today.ts'

const columns: ReadonlyArray<Column<ExecutionEntry>> = [
  {
    title: 'Flow',
    minWidth: 176,
    placeholderWidth: 140,
    cell: (entry) => <ExecutionLink execution={entry} />,
  },
  {
    title: 'State',
    minWidth: 128,
    placeholderWidth: 80,
    cell: (entry) => <Status {...describeExecution(entry)} />,
  },
  {
    title: 'Progress',
    minWidth: 96,
    placeholderWidth: 80,
    cell: ({ progress }) => <ProgressBar percentage={progress} />,
  },
  {
    title: 'Since',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ started_at: started, created_at: created }) => (
      <RelativeTime at={new Date((started ?? created) * 1000).toISOString()} />
    ),
  },
]

/** Running and queued executions. */
export function RunningExecutions({ running, queued }: Pick<Today, 'running' | 'queued'>) {
  const isKnown = running !== undefined && queued !== undefined
  const rows = isKnown ? [...running.executions, ...queued.executions] : undefined
  return (
    <Section
      title="Running"
      note={isKnown ? countText(running.total, queued.total) : undefined}
      aside={<Link to="/executions">View all executions</Link>}
    >
      {rows?.length === 0 ? (
        <p className={styles['none']}>No running or queued executions.</p>
      ) : (
        <Table
          label="Running"
          columns={columns}
          rows={rows}
          rowKey={({ execution_id }) => execution_id}
          placeholderRows={1}
        />
      )}
    </Section>
  )
}

function countText(running: number, queued: number): string | undefined {
  if (running + queued === 0) return undefined
  return `${describeCount(running, 'runs', 'run')}, ${describeCount(queued, 'waits', 'wait')}`
}
