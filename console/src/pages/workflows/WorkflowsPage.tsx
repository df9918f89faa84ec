import '../../theme/mantine-form.css'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, Suspense, useMemo } from 'react'
import { useApi } from '../../api/api-context.ts'
import { profileQuery } from '../../api/queries.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { useMay } from '../../api/use-may.ts'
import { describeDollars } from '../../parts/describe-amount.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { Page } from '../../parts/Page.tsx'
import { RowAction } from '../../parts/RowAction.tsx'
import { SearchField } from '../../parts/SearchField.tsx'
import { Surface } from '../../parts/Section.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { readSort, type Sort, writeSort } from '../../parts/table-sort.ts'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { AgentLinks } from '../agents/AgentLinks.tsx'
import { useAgentLabels } from '../agents/agent-queries.ts'
import { allWorkflowsQuery } from '../agents/workflow-queries.ts'
import { type FlowEntry, flowsQuery, type LatestRun } from './flow-queries.ts'
import { RunBars } from './RunBars.tsx'
import styles from './WorkflowsPage.module.css'
import { readWorkflowSearch, type WorkflowSearch } from './workflow-search.ts'

/** The success rate of the finished executions in percent; undefined without finished ones. */
export function successOf(runs: readonly LatestRun[]): number | undefined {
  const over = runs.filter(({ status }) => status === 'completed' || status === 'failed')
  if (over.length === 0) return undefined
  return (over.filter(({ status }) => status === 'completed').length / over.length) * 100
}

/** The average cost of the completed executions; undefined without completed ones. */
export function costOf(runs: readonly LatestRun[]): number | undefined {
  const over = runs.filter(({ status }) => status === 'completed')
  if (over.length === 0) return undefined
  return over.reduce((sum, { cost }) => sum + cost, 0) / over.length
}

/**
 * Workflows in the order of the list: the user's own, those of other accounts, then the built-in ones. The last changed
 * comes first, except among the built-in ones, which all change with a release.
 */
export function ownFirst(flows: readonly FlowEntry[], account: string | undefined): readonly FlowEntry[] {
  const rank = ({ built_in: builtIn, owner_id: owner }: FlowEntry) =>
    builtIn ? 2 : owner === account ? 0 : 1
  return flows.toSorted(
    (one, other) => rank(one) - rank(other) || (one.built_in ? 0 : other.updated_at - one.updated_at),
  )
}

const ImportFlow = lazyPart(() => import('./ImportFlow.tsx'))
const route = getRouteApi('/workflows')

const kinds = [
  { value: '', label: 'All kinds' },
  { value: 'agents', label: 'With agents' },
]

const choices = [
  { value: '', label: 'All owners' },
  { value: 'mine', label: 'Created by you' },
  { value: 'built_in', label: 'Built in' },
]

/** The list of workflows, with the metrics of their newest executions. */
export function WorkflowsPage() {
  // Invalid search parameters stay in the URL and are dropped here.
  const search = readWorkflowSearch({ ...route.useSearch() })
  const { search: text, tag, kind, which } = search
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const mayRun = useMay('run workflows')
  const mayManage = useMay('manage workflows')
  const { flows, agentsOf, failure, refetch } = useWorkflows(search)
  const go = (wanted: Partial<Record<keyof WorkflowSearch, unknown>>) =>
    void navigate({ search: readWorkflowSearch({ ...search, ...wanted }), replace: true })

  return (
    <Page
      title="Workflows"
      lead="Steps of models, agents and services that run together, with their recent results."
      aside={
        mayManage ? (
          <>
            <Button size="compact-sm" variant="default" onClick={() => go({ import: true })}>
              Import
            </Button>
            <Button size="compact-sm" renderRoot={(props) => <Link to="/workflows/new" {...props} />}>
              New workflow
            </Button>
          </>
        ) : undefined
      }
    >
      <ListTools count={countText(flows?.length)}>
        <SearchField label="Search workflows" text={text} onChange={(wanted) => go({ search: wanted })} />
        <SearchField label="Tag" text={tag} onChange={(wanted) => go({ tag: wanted })} />
        <NativeSelect
          data-filter
          size="sm"
          maw={160}
          aria-label="Kind"
          data={kinds}
          value={kind ?? ''}
          onChange={({ currentTarget }) => go({ kind: currentTarget.value })}
        />
        <NativeSelect
          size="sm"
          maw={160}
          aria-label="Owner"
          data={choices}
          value={which ?? ''}
          onChange={({ currentTarget }) => go({ which: currentTarget.value })}
        />
      </ListTools>
      {failure === null ? (
        <Surface>
          <FlowTable
            flows={flows}
            agentsOf={agentsOf}
            sort={readSort(search.sort, sortNames)}
            onSort={(sort) => go({ sort: writeSort(sort) })}
            isNarrowed={text !== undefined || tag !== undefined || kind !== undefined}
            mayRun={mayRun}
            mayManage={mayManage}
            onShowAll={() => go({ search: undefined, tag: undefined, kind: undefined, which: undefined })}
          />
        </Surface>
      ) : (
        <FailureNotice what="The workflows could not be loaded." error={failure} onRetry={refetch} />
      )}
      <Suspense>
        {search.import === true && mayManage ? (
          <ImportFlow
            onDone={() => cache.invalidateQueries({ queryKey: ['flows'] })}
            onClose={() => go({ import: undefined })}
          />
        ) : null}
      </Suspense>
    </Page>
  )
}

/** The agents of a workflow, as links. */
type AgentsOf = (flow: FlowEntry) => ReactNode

/** The workflows to list. `agentsOf` is given when only workflows with agents are listed. */
function useWorkflows(search: WorkflowSearch) {
  const api = useApi()
  const { kind } = search
  const account = useQuery(profileQuery(api)).data?.id
  const list = useApiQuery(flowsQuery(api, search))
  const withAgents = useApiQuery({ ...allWorkflowsQuery(api), enabled: kind === 'agents' })
  const labelOf = useAgentLabels()
  const sorted = useMemo(() => list.data && ownFirst(list.data, account), [list.data, account])
  const failed = [list, ...(kind === 'agents' ? [withAgents] : [])].find(
    ({ data, failure }) => data === undefined && failure !== null,
  )
  const agents = new Map(withAgents.data?.map(({ id, agents: some }) => [id, some]))
  const isLoading = kind === 'agents' && (withAgents.data === undefined || labelOf === undefined)
  return {
    flows: isLoading ? undefined : sorted?.filter(({ id }) => kind === undefined || agents.has(id)),
    agentsOf:
      kind === undefined
        ? undefined
        : ((({ id }) => (
            <AgentLinks agents={agents.get(id) ?? []} labelOf={labelOf ?? String} />
          )) satisfies AgentsOf),
    failure: failed?.failure ?? null,
    refetch: () => void failed?.refetch(),
  }
}

function countText(total: number | undefined): string | undefined {
  if (total === undefined) return undefined
  return total === 1 ? '1 workflow' : `${total.toLocaleString()} workflows`
}

const columns: ReadonlyArray<Column<FlowEntry>> = [
  {
    title: 'Workflow',
    id: 'name',
    value: ({ label }) => label,
    minWidth: 192,
    placeholderWidth: 160,
    cell: ({ id, label, built_in: builtIn, tags }) => (
      <span className={styles['name']}>
        <Link to="/workflows/$flow" params={{ flow: id }}>
          {label}
        </Link>
        <span className={styles['about']}>{[id, ...(builtIn ? ['built in'] : []), ...tags].join(' · ')}</span>
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
    title: 'Recent runs',
    minWidth: 96,
    placeholderWidth: 72,
    cell: ({ last_runs: runs = [] }) => <RunBars runs={runs} />,
  },
  {
    title: 'Success rate',
    id: 'success',
    value: ({ last_runs: runs = [] }) => successOf(runs) ?? null,
    numeric: true,
    minor: true,
    placeholderWidth: 40,
    cell: ({ last_runs: runs = [] }) => {
      const success = successOf(runs)
      return success === undefined ? '–' : `${Math.round(success)} %`
    },
  },
  {
    title: 'Cost per run',
    id: 'cost',
    value: ({ last_runs: runs = [] }) => costOf(runs) ?? null,
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
    id: 'changed',
    value: ({ updated_at: at }) => at,
    numeric: true,
    placeholderWidth: 56,
    cell: ({ updated_at: at }) => <RelativeTime at={new Date(at * 1000).toISOString()} />,
  },
]

/** The names of the columns in the address. */
const sortNames = columns.flatMap(({ id }) => id ?? [])

function agentsColumn(agentsOf: AgentsOf): Column<FlowEntry> {
  return { title: 'Agents', minWidth: 160, placeholderWidth: 160, cell: agentsOf }
}

interface FlowTableProps {
  readonly flows: readonly FlowEntry[] | undefined
  readonly agentsOf: AgentsOf | undefined
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
  const { flows, agentsOf, sort, onSort, isNarrowed, mayRun, mayManage, onShowAll } = table
  const navigate = useNavigate()
  const withWays = useMemo(
    () => [
      ...columns,
      ...waysFor({
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
    [mayRun, mayManage, navigate],
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
      columns={agentsOf === undefined ? withWays : withWays.toSpliced(1, 0, agentsColumn(agentsOf))}
      rows={flows}
      rowKey={({ id }) => id}
      placeholderRows={6}
      sort={sort}
      onSort={onSort}
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

function waysFor({ onRun, onEdit }: Ways): ReadonlyArray<Column<FlowEntry>> {
  if (onRun === undefined && onEdit === undefined) return []
  return [
    {
      title: 'Actions',
      quiet: true,
      numeric: true,
      minor: true,
      cell: (flow) => (
        <Button.Group className={styles['ways'] ?? ''}>
          {onRun === undefined ? null : (
            <RowAction label="Run" name={flow.label} onClick={() => onRun(flow.id)} />
          )}
          {onEdit === undefined ? null : (
            <RowAction
              label={flow.built_in ? 'Copy' : 'Edit'}
              name={flow.label}
              onClick={() => onEdit(flow)}
            />
          )}
        </Button.Group>
      ),
    },
  ]
}
