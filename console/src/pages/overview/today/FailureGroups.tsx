import { Link } from '@tanstack/react-router'
import { AddressLink } from '../../../parts/AddressLink.tsx'
import { Section } from '../../../parts/Section.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import type { OverviewAccess } from '../overview-access.ts'
import type { Timeframe } from '../overview-search.ts'
import styles from './today.module.css'
import type { Overview } from './today-queries.ts'
import { describeCount } from './today-words.ts'

type Failure = Overview['failures'][number]

interface FailureGroupsProps {
  readonly overview: Overview | undefined
  readonly access: OverviewAccess
}

/** Failed executions by workflow and error; nothing when none failed. */
export function FailureGroups({ overview, access }: FailureGroupsProps) {
  const rows = overview?.failures ?? []
  if (overview === undefined || rows.length === 0) return null
  return (
    <Section
      title="Failures"
      note="by workflow and error"
      aside={
        access.lists ? (
          <AddressLink path="/executions" search={{ status: 'failed', range: overview.timeframe }}>
            View failed runs
          </AddressLink>
        ) : undefined
      }
    >
      <Table
        label="Failures"
        hasFilter={false}
        columns={columnsFor(access, overview.timeframe)}
        rows={rows}
        rowKey={({ flow_id, error_code }) => `${flow_id} ${error_code}`}
      />
    </Section>
  )
}

const what: ReadonlyArray<Column<Failure>> = [
  {
    title: 'Workflow',
    value: ({ flow_id, label }) => label ?? flow_id,
    minWidth: 176,
    cell: ({ flow_id, label }) => (
      <Link to="/workflows/$flow" params={{ flow: flow_id }}>
        {label ?? flow_id}
      </Link>
    ),
  },
  {
    title: 'Error',
    value: ({ error_code: code }) => code,
    cell: ({ error_code, message }) => (
      <span className={styles['reason']}>
        <code>{error_code}</code>
        {message === null ? null : <span className={styles['about']}>{message}</span>}
      </span>
    ),
  },
]

function columnsFor({ lists, runs }: OverviewAccess, range: Timeframe): ReadonlyArray<Column<Failure>> {
  if (!lists)
    return [
      ...what,
      {
        title: 'Runs',
        value: ({ executions }) => executions,
        numeric: true,
        cell: ({ executions }) => executions,
      },
    ]
  return [
    ...what,
    {
      title: 'Runs',
      value: ({ executions }) => executions,
      numeric: true,
      minWidth: 80,
      cell: ({ flow_id, error_code, executions }) => (
        <AddressLink
          path="/executions"
          search={{ status: 'failed', flow: flow_id, error: error_code, range }}
        >
          {describeCount(executions, 'run', 'runs')}
        </AddressLink>
      ),
    },
    {
      title: 'Last',
      value: ({ last_at: at }) => at,
      numeric: true,
      minWidth: 80,
      cell: ({ last_execution_id: id, last_at: at }) =>
        id === null || at === null ? (
          '–'
        ) : (
          <Link to="/executions/$execution" params={{ execution: id }}>
            <RelativeTime at={new Date(at * 1000).toISOString()} />
          </Link>
        ),
    },
    ...(runs
      ? [
          {
            title: 'Actions',
            quiet: true,
            numeric: true,
            minWidth: 88,
            cell: ({ last_execution_id: id, label, flow_id }: Failure) =>
              id === null ? null : (
                <Link
                  to="/executions/$execution"
                  params={{ execution: id }}
                  search={{ again: 'latest' }}
                  aria-label={`Run again: ${label ?? flow_id}`}
                >
                  Run again
                </Link>
              ),
          },
        ]
      : []),
  ]
}
