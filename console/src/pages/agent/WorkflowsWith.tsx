import { Link } from '@tanstack/react-router'
import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import type { WorkflowEntry } from '../workflows/workflow-bodies.ts'
import { allWorkflowsQuery } from '../workflows/workflow-queries.ts'
import { describeMode } from '../workflows/workflow-words.ts'
import styles from './Agent.module.css'

/** Workflows an agent takes part in, each with the way to run it. */
export function WorkflowsWith({ agent }: { agent: string }) {
  const { data, failure, refetch } = useAnswer(allWorkflowsQuery(useApi()))
  if (data === undefined && failure !== null)
    return (
      <FailureNotice what="The workflows could not be read." error={failure} onRetry={() => void refetch()} />
    )
  const workflows = data?.filter(({ agents }) => agents.includes(agent))
  if (workflows?.length === 0)
    return (
      <div className={styles['inside']}>
        <p className={styles['words']}>It works in none yet.</p>
      </div>
    )
  return <Table label="Workflows it works in" columns={columns} rows={workflows} rowKey={({ id }) => id} />
}

const columns: ReadonlyArray<Column<WorkflowEntry>> = [
  {
    title: 'Workflow',
    room: 160,
    cell: ({ id, label }) => (
      <Link to="/workflows" search={{ run: id }}>
        Run {label}
      </Link>
    ),
  },
  { title: 'Agents', numeric: true, cell: ({ agents }) => agents.length },
  { title: 'How', cell: ({ mode }) => describeMode(mode) },
]
