import { Link } from '@tanstack/react-router'
import { Section } from '../../../parts/Section.tsx'
import { Status } from '../../../parts/Status.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import type { ExecutionEntry } from '../../executions/execution-bodies.ts'
import { ExecutionLink } from './ExecutionLink.tsx'
import styles from './today.module.css'
import type { Today } from './use-today.ts'

/** Enough to begin with. */
const mostShown = 8

const columns: ReadonlyArray<Column<ExecutionEntry>> = [
  {
    title: 'Flow',
    room: 176,
    placeholderWidth: 140,
    cell: (entry) => <ExecutionLink execution={entry} />,
  },
  {
    title: 'Why',
    placeholderWidth: 200,
    cell: ({ error_message: why }) => (
      <span className={styles['reason']}>{why ?? <Status tone="bad" word="Failed" />}</span>
    ),
  },
  {
    title: 'Failed',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ finished_at: at }) =>
      at === null ? '–' : <RelativeTime at={new Date(at * 1000).toISOString()} />,
  },
]

/** What failed since midnight, each a link to what can be done about it. */
export function FailedToday({ failed }: Pick<Today, 'failed'>) {
  const all = failed?.executions
  return (
    <Section
      title="Failed today"
      note={
        all !== undefined && all.length > mostShown ? `the last ${mostShown} of ${all.length}` : undefined
      }
      aside={
        <Link to="/executions" search={{ status: 'failed' }}>
          All that failed
        </Link>
      }
    >
      {all?.length === 0 ? (
        <p className={styles['none']}>Nothing failed today.</p>
      ) : (
        <Table
          label="Failed today"
          columns={columns}
          rows={all?.slice(0, mostShown)}
          rowKey={({ execution_id }) => execution_id}
          placeholderRows={1}
        />
      )}
    </Section>
  )
}
