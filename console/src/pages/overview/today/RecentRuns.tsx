import { Link } from '@tanstack/react-router'
import { Section } from '../../../parts/Section.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { ExecutionName, executionColumns } from '../../executions/execution-cells.tsx'
import type { ExecutionEntry } from '../../executions/execution-queries.ts'
import styles from './today.module.css'

const shown: ReadonlySet<string> = new Set(['state', 'duration', 'cost', 'created'])

const columns: ReadonlyArray<Column<ExecutionEntry>> = [
  {
    title: 'Workflow',
    minWidth: 176,
    placeholderWidth: 140,
    value: ({ flow_label: label }) => label,
    cell: (entry) => <ExecutionName entry={entry} />,
  },
  ...executionColumns.filter(({ id }) => shown.has(id)),
]

/** The newest executions, running ones included. */
export function RecentRuns({ recent }: { recent: readonly ExecutionEntry[] | undefined }) {
  return (
    <Section title="Recent runs" aside={<Link to="/executions">View all executions</Link>}>
      {recent?.length === 0 ? (
        <p className={styles['none']}>No runs yet.</p>
      ) : (
        <Table
          label="Recent runs"
          hasFilter={false}
          columns={columns}
          rows={recent}
          rowKey={({ execution_id }) => execution_id}
        />
      )}
    </Section>
  )
}
