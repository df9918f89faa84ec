import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import styles from './AgentTable.module.css'
import type { AgentEntry } from './agent-bodies.ts'
import {
  agentStates,
  describeCost,
  describeFee,
  describeNeed,
  describePercent,
  describeRating,
} from './agent-words.ts'

/** What nobody knows needs no line where the table is a list. */
function known(told: string): ReactNode {
  return told === '–' ? <span data-none>–</span> : told
}

const columns: ReadonlyArray<Column<AgentEntry>> = [
  {
    title: 'Agent',
    room: 240,
    placeholderWidth: 160,
    cell: ({ id, label, description, status }) => (
      <span className={styles['name']}>
        <Link to="/agents/$agent" params={{ agent: id }}>
          {label}
        </Link>
        {status === 'active' ? null : <Status {...agentStates[status]} />}
        <span className={styles['about']}>{description}</span>
      </span>
    ),
  },
  {
    title: 'Language model',
    room: 112,
    placeholderWidth: 88,
    cell: (agent) => <Status {...describeNeed(agent)} />,
  },
  { title: 'Takes', minor: true, placeholderWidth: 48, cell: ({ pricing }) => describeFee(pricing) },
  {
    title: 'Cost of one',
    numeric: true,
    placeholderWidth: 40,
    cell: ({ performance_metrics: measured }) => known(describeCost(measured?.average_cost)),
  },
  {
    title: 'Success',
    numeric: true,
    placeholderWidth: 40,
    cell: ({ performance_metrics: measured }) => known(describePercent(measured?.success_rate)),
  },
  {
    title: 'Runs in 24 h',
    numeric: true,
    minor: true,
    placeholderWidth: 24,
    cell: ({ performance_metrics: measured }) => measured?.executions_24h.toLocaleString() ?? '–',
  },
  {
    title: 'Rating',
    numeric: true,
    placeholderWidth: 48,
    cell: ({ performance_metrics: measured }) => known(describeRating(measured?.user_rating)),
  },
]

interface AgentTableProps {
  /** Undefined while they are on their way. */
  readonly agents: readonly AgentEntry[] | undefined
  readonly onShowAll: () => void
}

/** Agents with how they did in the last 30 days, each a link to all about it. */
export function AgentTable({ agents, onShowAll }: AgentTableProps) {
  if (agents?.length === 0) {
    return (
      <EmptyState
        sentence="There are no such agents."
        action={
          <Button size="compact-sm" variant="default" onClick={onShowAll}>
            Show all agents
          </Button>
        }
        link={<a href={apiReferencePath}>Make one through the API</a>}
      />
    )
  }
  return <Table label="Agents" columns={columns} rows={agents} rowKey={({ id }) => id} placeholderRows={8} />
}
