import '../../theme/mantine-form.css'
import { Button, Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { describeDollars } from '../../parts/describe-amount.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { describeDuration } from '../../time/describe-time.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import styles from './ExecutionTable.module.css'
import type { ExecutionEntry } from './execution-queries.ts'
import { describeExecution } from './execution-words.ts'
import { ProgressBar } from './ProgressBar.tsx'

interface ExecutionTableProps {
  readonly executions: readonly ExecutionEntry[] | undefined
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (id: string, isChosen: boolean) => void
  readonly isFiltered: boolean
  readonly onClear: () => void
}

/** Executions, each a link to all about it. */
export function ExecutionTable({ executions, chosen, onChoose, isFiltered, onClear }: ExecutionTableProps) {
  if (executions?.length === 0) {
    return isFiltered ? (
      <EmptyState
        sentence="No executions match."
        action={
          <Button size="compact-sm" variant="default" onClick={onClear}>
            Show all executions
          </Button>
        }
        link={<a href={apiReferencePath}>Read executions through the API</a>}
      />
    ) : (
      <EmptyState
        sentence="No executions yet. Every run of a flow appears here as soon as it is queued."
        action={
          <Button size="compact-sm" variant="default" renderRoot={(props) => <Link to="/live" {...props} />}>
            Open live events
          </Button>
        }
        link={<a href={apiReferencePath}>Start one through the API</a>}
      />
    )
  }
  return (
    <Table
      label="Executions"
      columns={columnsFor(chosen, onChoose)}
      rows={executions}
      rowKey={({ execution_id }) => execution_id}
      placeholderRows={8}
    />
  )
}

function columnsFor(
  chosen: ReadonlySet<string>,
  onChoose: ExecutionTableProps['onChoose'],
): ReadonlyArray<Column<ExecutionEntry>> {
  return [
    {
      title: 'Flow',
      minWidth: 176,
      placeholderWidth: 140,
      cell: ({ execution_id: id, flow_label: label, items }) => (
        <span className={styles['name']}>
          <Checkbox
            size="xs"
            aria-label={`Select ${label} ${id}`}
            checked={chosen.has(id)}
            onChange={({ currentTarget }) => onChoose(id, currentTarget.checked)}
          />
          <span>
            <Link to="/executions/$execution" params={{ execution: id }}>
              {label}
            </Link>
            <span className={styles['id']}>
              {id.slice(-12)}
              {items === 0 ? '' : ` · ${items} items`}
            </span>
          </span>
        </span>
      ),
    },
    {
      title: 'State',
      minWidth: 112,
      placeholderWidth: 80,
      cell: (entry) => <Status {...describeExecution(entry)} />,
    },
    {
      title: 'Progress',
      minor: true,
      minWidth: 96,
      placeholderWidth: 80,
      cell: ({ progress }) => <ProgressBar percentage={progress} />,
    },
    { title: 'Priority', minor: true, placeholderWidth: 48, cell: ({ priority }) => priority },
    {
      title: 'Duration',
      numeric: true,
      placeholderWidth: 48,
      cell: ({ duration }) => (duration === null ? '–' : describeDuration(duration)),
    },
    {
      title: 'Cost',
      numeric: true,
      minor: true,
      placeholderWidth: 40,
      cell: ({ total_cost: dollars }) => describeDollars(Math.round(dollars * 1e6)),
    },
    {
      title: 'Created',
      numeric: true,
      placeholderWidth: 56,
      cell: ({ created_at: at }) => <RelativeTime at={new Date(at * 1000).toISOString()} />,
    },
  ]
}
