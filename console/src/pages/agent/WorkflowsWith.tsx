import { Link } from '@tanstack/react-router'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { allWorkflowsQuery, type WorkflowEntry } from '../agents/workflow-queries.ts'
import { describeMode } from '../agents/workflow-words.ts'
import styles from './Agent.module.css'

/** The workflows that include an agent, each with a link to run it. */
export function WorkflowsWith({ agent }: { agent: string }) {
  const { data, failure, refetch } = useApiQuery(allWorkflowsQuery(useApi()))
  if (data === undefined && failure !== null)
    return (
      <FailureNotice
        what="The workflows could not be loaded."
        error={failure}
        onRetry={() => void refetch()}
      />
    )
  const workflows = data?.filter(({ agents }) => agents.includes(agent))
  if (workflows?.length === 0)
    return (
      <div className={styles['inside']}>
        <p className={styles['words']}>No workflow uses this agent yet.</p>
      </div>
    )
  return <Table label="Used in workflows" columns={columns} rows={workflows} rowKey={({ id }) => id} />
}

const columns: ReadonlyArray<Column<WorkflowEntry>> = [
  {
    title: 'Workflow',
    value: ({ label }) => label,
    minWidth: 160,
    cell: ({ id, label }) => (
      <Link to="/workflows/$flow" params={{ flow: id }} search={{ run: true }}>
        Run {label}
      </Link>
    ),
  },
  {
    title: 'Agents',
    value: ({ agents }) => agents.length,
    numeric: true,
    cell: ({ agents }) => agents.length,
  },
  { title: 'Mode', value: ({ mode }) => describeMode(mode), cell: ({ mode }) => describeMode(mode) },
]
