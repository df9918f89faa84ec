import '../../theme/mantine-form.css'
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, Suspense, useMemo } from 'react'
import { useApi } from '../../api/api-context.ts'
import { profileQuery } from '../../api/queries.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { useMay } from '../../api/use-may.ts'
import { Chips } from '../../parts/Chips.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { OutcomeBar } from '../../parts/OutcomeBar.tsx'
import { Page } from '../../parts/Page.tsx'
import { RowAction } from '../../parts/RowAction.tsx'
import { SearchField } from '../../parts/SearchField.tsx'
import { Surface } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { readSort, type Sort, writeSort } from '../../parts/table-sort.ts'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { AgentLinks } from '../agents/AgentLinks.tsx'
import { useAgentLabels } from '../agents/agent-queries.ts'
import { describeCost, describePercent, describeSeconds } from '../agents/agent-words.ts'
import { outcomeOfRun } from '../executions/execution-words.ts'
import { FlowActions } from './FlowActions.tsx'
import {
  countGroups,
  flowGroups,
  flowsIn,
  groupOf,
  groupWords,
  ownerGroupOf,
  ownFirst,
  searchOf,
} from './flow-groups.ts'
import { type FlowEntry, flowsQuery } from './flow-queries.ts'
import { NewWorkflow } from './NewWorkflow.tsx'
import styles from './WorkflowsPage.module.css'
import { readWorkflowSearch, type WorkflowSearch } from './workflow-search.ts'

const FromAgents = lazyPart(() => import('./FromAgents.tsx'))
const ImportFlow = lazyPart(() => import('./ImportFlow.tsx'))
const route = getRouteApi('/workflows')

/** The list of all workflows, with their statistics and newest executions. */
export function WorkflowsPage() {
  // Invalid search parameters stay in the URL and are dropped here.
  const search = readWorkflowSearch({ ...route.useSearch() })
  const { search: text, tag } = search
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const api = useApi()
  const mayRun = useMay('run workflows')
  const mayManage = useMay('manage workflows')
  const account = useQuery(profileQuery(api)).data?.id
  const { data, failure, refetch } = useApiQuery(flowsQuery(api, search))
  const group = groupOf(search)
  const flows = useMemo(
    () => data && flowsIn(group, ownFirst(data, account), account),
    [data, group, account],
  )
  const counts = useMemo(() => data && countGroups(data, account), [data, account])
  const go = (wanted: Partial<Record<keyof WorkflowSearch, unknown>>) =>
    void navigate({ search: readWorkflowSearch({ ...search, ...wanted }), replace: true })

  return (
    <Page
      title="Workflows"
      lead="Steps of models, agents and services that run together, with the statistics of their runs."
      aside={
        mayManage ? (
          <NewWorkflow onFromAgents={() => go({ agents: true })} onImport={() => go({ import: true })} />
        ) : undefined
      }
    >
      <Chips
        label="Show"
        chips={flowGroups.map((it) => ({
          value: it,
          label: groupWords[it],
          count: counts?.[it].toLocaleString(),
        }))}
        chosen={[group]}
        onToggle={(wanted) => go(searchOf(wanted))}
      />
      <ListTools count={countText(flows?.length)}>
        <SearchField label="Search workflows" text={text} onChange={(wanted) => go({ search: wanted })} />
        <SearchField label="Tag" text={tag} onChange={(wanted) => go({ tag: wanted })} />
      </ListTools>
      {data === undefined && failure !== null ? (
        <FailureNotice
          what="The workflows could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <Surface>
          <FlowTable
            flows={flows}
            account={account}
            showsAgents={group === 'agents'}
            sort={readSort(search.sort, sortNames)}
            onSort={(sort) => go({ sort: writeSort(sort) })}
            isNarrowed={text !== undefined || tag !== undefined || group !== 'mine'}
            mayRun={mayRun}
            mayManage={mayManage}
            onShowAll={() => go({ search: undefined, tag: undefined, ...searchOf('all') })}
          />
        </Surface>
      )}
      <Suspense>
        {search.import === true && mayManage ? (
          <ImportFlow
            onDone={() => cache.invalidateQueries({ queryKey: ['flows'] })}
            onClose={() => go({ import: undefined })}
          />
        ) : null}
        {search.agents !== undefined && mayManage ? (
          <FromAgents
            agent={search.agents === true ? undefined : search.agents}
            onClose={() => go({ agents: undefined })}
          />
        ) : null}
      </Suspense>
    </Page>
  )
}

function countText(total: number | undefined): string | undefined {
  if (total === undefined) return undefined
  return total === 1 ? '1 workflow' : `${total.toLocaleString()} workflows`
}

/** On narrow screens, where each row is a list, unknown values take no line. */
function known(told: string): ReactNode {
  return told === '–' ? <span data-none>–</span> : told
}

const columns: ReadonlyArray<Column<FlowEntry>> = [
  {
    title: 'Workflow',
    id: 'name',
    value: ({ label }) => label,
    minWidth: 192,
    placeholderWidth: 160,
    cell: ({ id, label, built_in: builtIn, enabled, sample, tags }) => (
      <span className={styles['name']}>
        <Link to="/workflows/$flow" params={{ flow: id }}>
          {label}
        </Link>
        {enabled ? null : <Status tone="idle" word="Disabled" />}
        <span className={styles['about']}>
          {[id, ...(builtIn ? ['built in'] : []), ...(sample ? ['sample'] : []), ...tags].join(' · ')}
        </span>
      </span>
    ),
  },
  {
    title: 'Steps',
    id: 'steps',
    value: ({ steps }) => steps,
    numeric: true,
    minor: true,
    placeholderWidth: 24,
    cell: ({ steps }) => steps,
  },
  {
    title: 'Last runs',
    minWidth: 96,
    placeholderWidth: 72,
    cell: ({ last_runs: runs = [] }) => <OutcomeBar outcomes={runs.map(outcomeOfRun)} />,
  },
  {
    title: 'Success',
    id: 'success',
    value: ({ stats }) => stats?.success_rate ?? null,
    numeric: true,
    placeholderWidth: 40,
    cell: ({ stats }) => known(describePercent(stats?.success_rate)),
  },
  {
    title: 'p95',
    id: 'p95',
    value: ({ stats }) => stats?.p95_duration ?? null,
    numeric: true,
    minor: true,
    placeholderWidth: 40,
    cell: ({ stats }) => known(describeSeconds(stats?.p95_duration)),
  },
  {
    title: 'Cost per run',
    id: 'cost',
    value: ({ stats }) => stats?.average_cost ?? null,
    numeric: true,
    minor: true,
    placeholderWidth: 40,
    cell: ({ stats }) => known(describeCost(stats?.average_cost)),
  },
  {
    title: 'Changed',
    id: 'changed',
    value: ({ updated_at: at }) => at,
    numeric: true,
    placeholderWidth: 56,
    cell: ({ updated_at: at }) => <RelativeTime at={new Date(at * 1000).toISOString()} />,
  },
]

/** The names of the columns in the address. */
const sortNames = columns.flatMap(({ id }) => id ?? [])

/** The agents of a workflow, as links. */
function AgentsOf({ flow }: { flow: FlowEntry }) {
  const labelOf = useAgentLabels()
  return <AgentLinks agents={flow.agents} labelOf={labelOf ?? String} />
}

const agentsColumn: Column<FlowEntry> = {
  title: 'Agents',
  minWidth: 160,
  placeholderWidth: 160,
  cell: (flow) => <AgentsOf flow={flow} />,
}

interface FlowTableProps {
  readonly flows: readonly FlowEntry[] | undefined
  readonly account: string | undefined
  readonly showsAgents: boolean
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort | undefined) => void
  /** Whether the list is filtered. */
  readonly isNarrowed: boolean
  readonly mayRun: boolean
  readonly mayManage: boolean
  readonly onShowAll: () => void
}

/** The table of workflows, each a link to its page. */
function FlowTable(table: FlowTableProps) {
  const { flows, account, showsAgents, sort, onSort, isNarrowed, mayRun, mayManage, onShowAll } = table
  const navigate = useNavigate()
  const withWays = useMemo(
    () => [
      ...columns.slice(0, 1),
      ...(showsAgents ? [agentsColumn] : []),
      ...columns.slice(1),
      waysFor({
        ...(mayRun && {
          onRun: (flow: string) =>
            void navigate({ to: '/workflows/$flow', params: { flow }, search: { run: true } }),
        }),
        ...(mayManage && {
          onEdit: ({ id, built_in: builtIn }: FlowEntry) =>
            void (builtIn
              ? navigate({ to: '/workflows/new', search: { from: id } })
              : navigate({ to: '/workflows/$flow/edit', params: { flow: id } })),
        }),
      }),
    ],
    [mayRun, mayManage, showsAgents, navigate],
  )
  if (flows?.length === 0) {
    return isNarrowed || !mayManage ? (
      <EmptyState
        sentence="No workflows match."
        action={
          <Button size="compact-sm" variant="default" onClick={onShowAll}>
            Show all workflows
          </Button>
        }
        link={mayManage ? <Link to="/workflows/new">Create one</Link> : runFirst}
      />
    ) : (
      <EmptyState
        sentence="You have no workflows yet. Create one, or run a built-in one first."
        action={
          <Button size="compact-sm" renderRoot={(props) => <Link to="/workflows/new" {...props} />}>
            New workflow
          </Button>
        }
        link={runFirst}
      />
    )
  }
  return (
    <Table
      label="Workflows"
      hasFilter={false}
      columns={withWays}
      rows={flows}
      rowKey={({ id }) => id}
      placeholderRows={6}
      sort={sort}
      onSort={onSort}
      groupOf={(flow) => ownerGroupOf(flow, account)}
    />
  )
}

/** A built-in workflow that needs no model and finishes within a second. */
const runFirst = (
  <Link to="/workflows/$flow" params={{ flow: 'content_quality_review' }} search={{ run: true }}>
    Run a built-in workflow
  </Link>
)

interface Ways {
  readonly onRun?: (flow: string) => void
  readonly onEdit?: (flow: FlowEntry) => void
}

/** The column of actions: those that the account may take, and a menu of the others. */
function waysFor({ onRun, onEdit }: Ways): Column<FlowEntry> {
  return {
    title: 'Actions',
    quiet: true,
    numeric: true,
    cell: (flow) => (
      <span className={styles['ways']}>
        {onRun === undefined ? null : (
          <RowAction label="Run" name={flow.label} onClick={() => onRun(flow.id)} />
        )}
        {onEdit === undefined ? null : (
          <RowAction label={flow.built_in ? 'Copy' : 'Edit'} name={flow.label} onClick={() => onEdit(flow)} />
        )}
        <FlowActions flow={flow} label={`More actions for ${flow.label}`} />
      </span>
    ),
  }
}
