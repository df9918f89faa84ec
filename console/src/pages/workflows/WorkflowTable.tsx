import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { AgentLinks } from '../agents/AgentLinks.tsx'
import { useAgentLabels } from '../agents/use-agent-labels.ts'
import styles from './Workflows.module.css'
import type { WorkflowEntry } from './workflow-bodies.ts'
import { describeMode } from './workflow-words.ts'

interface WorkflowTableProps {
  /** Undefined while they are on their way. */
  readonly workflows: readonly WorkflowEntry[] | undefined
  readonly mayRun: boolean
  readonly onRun: (workflow: WorkflowEntry) => void
  readonly onShowAll: () => void
}

/** Workflows with who works in them. Each is a flow, and its name leads to how it is built. */
export function WorkflowTable({ workflows, mayRun, onRun, onShowAll }: WorkflowTableProps) {
  const labelOf = useAgentLabels()
  if (workflows?.length === 0) {
    return (
      <EmptyState
        sentence="There are no such workflows."
        action={
          <Button size="compact-sm" variant="default" onClick={onShowAll}>
            Show all workflows
          </Button>
        }
        link={<a href={apiReferencePath}>Make one through the API</a>}
      />
    )
  }
  return (
    <Table
      label="Workflows"
      columns={[...columnsFor(labelOf ?? String), ...(mayRun ? [runColumn(onRun)] : [])]}
      rows={labelOf === undefined ? undefined : workflows}
      rowKey={({ id }) => id}
      placeholderRows={5}
    />
  )
}

const columnsFor = (labelOf: (id: string) => string): ReadonlyArray<Column<WorkflowEntry>> => [
  {
    title: 'Workflow',
    room: 224,
    placeholderWidth: 160,
    cell: ({ id, label, description }) => (
      <span className={styles['name']}>
        <Link to="/flows/$flow" params={{ flow: id }}>
          {label}
        </Link>
        <span className={styles['about']}>{description}</span>
      </span>
    ),
  },
  {
    title: 'Agents',
    room: 160,
    placeholderWidth: 160,
    cell: ({ agents }) => <AgentLinks agents={agents} labelOf={labelOf} />,
  },
  { title: 'How', room: 112, minor: true, placeholderWidth: 96, cell: ({ mode }) => describeMode(mode) },
  {
    title: 'Changed',
    numeric: true,
    minor: true,
    placeholderWidth: 56,
    cell: ({ updated_at: at }) => <RelativeTime at={new Date(at * 1000).toISOString()} />,
  },
]

function runColumn(onRun: (workflow: WorkflowEntry) => void): Column<WorkflowEntry> {
  return {
    title: 'Ways',
    quiet: true,
    numeric: true,
    placeholderWidth: 32,
    cell: (workflow) => (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Run ${workflow.label}`}
        onClick={() => onRun(workflow)}
      >
        Run
      </Button>
    ),
  }
}
