import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { describeDollars } from '../../parts/describe-amount.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import styles from './FlowTable.module.css'
import type { FlowEntry } from './flow-bodies.ts'
import { RunBars } from './RunBars.tsx'
import { costOf, successOf } from './run-bars.ts'

const columns: ReadonlyArray<Column<FlowEntry>> = [
  {
    title: 'Flow',
    room: 192,
    placeholderWidth: 160,
    cell: ({ id, label, built_in: builtIn, tags }) => (
      <span className={styles['name']}>
        <Link to="/flows/$flow" params={{ flow: id }}>
          {label}
        </Link>
        <span className={styles['about']}>
          {[id, ...(builtIn ? ['comes along'] : []), ...tags].join(' · ')}
        </span>
      </span>
    ),
  },
  { title: 'Steps', numeric: true, minor: true, placeholderWidth: 24, cell: ({ steps }) => steps },
  {
    title: 'Last runs',
    room: 96,
    placeholderWidth: 72,
    cell: ({ last_runs: runs = [] }) => <RunBars runs={runs} />,
  },
  {
    title: 'Success',
    numeric: true,
    minor: true,
    placeholderWidth: 40,
    cell: ({ last_runs: runs = [] }) => {
      const success = successOf(runs)
      return success === undefined ? '–' : `${Math.round(success)} %`
    },
  },
  {
    title: 'Cost of one',
    numeric: true,
    minor: true,
    placeholderWidth: 40,
    cell: ({ last_runs: runs = [] }) => {
      const cost = costOf(runs)
      return cost === undefined ? '–' : describeDollars(Math.round(cost * 1e6))
    },
  },
  {
    title: 'Changed',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ updated_at: at }) => <RelativeTime at={new Date(at * 1000).toISOString()} />,
  },
]

interface FlowTableProps {
  readonly flows: readonly FlowEntry[] | undefined
  readonly onShowAll: () => void
}

/** Flows, each a link to all about it. */
export function FlowTable({ flows, onShowAll }: FlowTableProps) {
  if (flows?.length === 0) {
    return (
      <EmptyState
        sentence="There are no such flows."
        action={
          <Button size="compact-sm" variant="default" onClick={onShowAll}>
            Show all flows
          </Button>
        }
        link={<a href={apiReferencePath}>Make one through the API</a>}
      />
    )
  }
  return <Table label="Flows" columns={columns} rows={flows} rowKey={({ id }) => id} placeholderRows={6} />
}
