import '../../theme/mantine-form.css'
import { Button, SegmentedControl } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { useMay } from '../../api/use-may.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { Page } from '../../parts/Page.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { SearchField } from '../../parts/SearchField.tsx'
import { Surface } from '../../parts/Section.tsx'
import { type Column, rowsOf, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { AgentLinks } from '../agents/AgentLinks.tsx'
import { useAgentLabels } from '../agents/agent-queries.ts'
import { readAdviceOptions } from './advice/advice-options.ts'
import styles from './WorkflowsPage.module.css'
import { type WorkflowEntry, workflowsQuery } from './workflow-queries.ts'
import { readWorkflowSearch, type WorkflowSearch } from './workflow-search.ts'
import { describeMode } from './workflow-words.ts'

const RunWorkflow = lazy(() => import('./RunWorkflow.tsx'))
const AdvicePanel = lazy(() => import('./advice/AdvicePanel.tsx'))
const route = getRouteApi('/workflows')

const tabs = [
  { value: 'list', label: 'Workflows' },
  { value: 'advice', label: 'Recommend agents' },
]

/** The workflows of agents, the form to run one, and recommendations of agents for a content. */
export function WorkflowsPage() {
  // Invalid search parameters stay in the URL and are dropped here.
  const search = readWorkflowSearch({ ...route.useSearch() })
  const { tab, run } = search
  const navigate = route.useNavigate()
  const mayRun = useMay('run workflows')
  const go = (wanted: WorkflowSearch) => void navigate({ search: wanted, replace: true, resetScroll: false })
  const { run: _, ...closed } = search
  return (
    <Page
      title="Workflows"
      lead="Combinations of agents that work on a text. Run one, or get agents recommended for your task."
    >
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label="View"
        data={tabs}
        value={tab ?? 'list'}
        onChange={(wanted) => go(readWorkflowSearch({ ...search, tab: wanted }))}
      />
      {tab === 'advice' ? (
        <Suspense>
          <AdvicePanel
            options={readAdviceOptions({ ...search })}
            isAsked={search.asked === true}
            onAsk={(options) => go({ tab: 'advice', asked: true, ...options })}
          />
        </Suspense>
      ) : (
        <WorkflowList search={search} mayRun={mayRun} onChange={go} />
      )}
      <Suspense>
        {run !== undefined && mayRun ? <RunWorkflow key={run} id={run} onClose={() => go(closed)} /> : null}
      </Suspense>
    </Page>
  )
}

interface WorkflowListProps {
  readonly search: WorkflowSearch
  readonly mayRun: boolean
  readonly onChange: (search: WorkflowSearch) => void
}

function WorkflowList({ search, mayRun, onChange }: WorkflowListProps) {
  const { search: text, page = 1 } = search
  const { data, failure, refetch } = useApiQuery(workflowsQuery(useApi(), { search: text, page }))
  return (
    <>
      <ListTools count={countText(data?.total)}>
        <SearchField
          label="Search workflows"
          text={text}
          onChange={(wanted) => onChange(wanted === undefined ? {} : { search: wanted })}
        />
      </ListTools>
      {data === undefined && failure !== null ? (
        <FailureNotice
          what="The workflows could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <>
          <Surface>
            <WorkflowTable
              workflows={rowsOf(data && { data: data.workflows, total: data.total })}
              mayRun={mayRun}
              onRun={({ id }) => onChange({ ...search, run: id })}
              onShowAll={() => onChange({})}
            />
          </Surface>
          <Pager
            page={page}
            total={data?.total}
            onPage={(wanted) => onChange(readWorkflowSearch({ ...search, page: wanted }))}
          />
        </>
      )}
    </>
  )
}

function countText(total: number | undefined): string | undefined {
  if (total === undefined) return undefined
  return total === 1 ? '1 workflow' : `${total.toLocaleString()} workflows`
}

interface WorkflowTableProps {
  /** Undefined while loading. */
  readonly workflows: readonly WorkflowEntry[] | undefined
  readonly mayRun: boolean
  readonly onRun: (workflow: WorkflowEntry) => void
  readonly onShowAll: () => void
}

/** Workflows with their agents. A workflow is a flow, and its name links to the flow's page. */
function WorkflowTable({ workflows, mayRun, onRun, onShowAll }: WorkflowTableProps) {
  const labelOf = useAgentLabels()
  if (workflows?.length === 0) {
    return (
      <EmptyState
        sentence="No workflows match."
        action={
          <Button size="compact-sm" variant="default" onClick={onShowAll}>
            Show all workflows
          </Button>
        }
        link={<a href={apiReferencePath}>Create one through the API</a>}
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
    minWidth: 224,
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
    minWidth: 160,
    placeholderWidth: 160,
    cell: ({ agents }) => <AgentLinks agents={agents} labelOf={labelOf} />,
  },
  { title: 'Mode', minWidth: 112, minor: true, placeholderWidth: 96, cell: ({ mode }) => describeMode(mode) },
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
    title: 'Actions',
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
