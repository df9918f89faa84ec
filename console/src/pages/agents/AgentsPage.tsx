import '../../theme/mantine-form.css'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useApi } from '../../api/api-context.ts'
import { profileQuery } from '../../api/queries.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { useMay } from '../../api/use-may.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { Page } from '../../parts/Page.tsx'
import { SearchField } from '../../parts/SearchField.tsx'
import { Surface } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { AgentActions } from './AgentActions.tsx'
import styles from './AgentsPage.module.css'
import { type AgentCategory, type AgentEntry, agentsQuery } from './agent-queries.ts'
import { readAgentSearch } from './agent-search.ts'
import {
  agentStates,
  describeCost,
  describeFee,
  describeNeed,
  describePercent,
  describeRating,
  narrowAgents,
  ownAgentsFirst,
} from './agent-words.ts'

const route = getRouteApi('/agents')

const newAgent = (
  <Button size="compact-sm" renderRoot={(props) => <Link to="/agents/new" {...props} />}>
    New agent
  </Button>
)

/** The catalogue of agents: capabilities, cost and metrics. */
export function AgentsPage() {
  // Invalid search parameters stay in the URL and are dropped here.
  const search = readAgentSearch({ ...route.useSearch() })
  const { search: text, category } = search
  const navigate = route.useNavigate()
  const api = useApi()
  const mayManage = useMay('manage workflows')
  const account = useQuery(profileQuery(api)).data?.id
  const { data, failure, refetch } = useApiQuery(agentsQuery(api, search))
  const agents = data && narrowAgents(ownAgentsFirst(data.agents, account), text)
  const filterBy = (wanted: Record<string, string | undefined>) =>
    void navigate({ search: readAgentSearch({ ...search, ...wanted }), replace: true })

  return (
    <Page
      title="Agents"
      lead="Each agent does one task on a text, and its output is checked. Cost and success are measured over 30 days."
      aside={
        <>
          <Button
            size="compact-sm"
            variant="default"
            renderRoot={(props) => <Link to="/agents/recommend" {...props} />}
          >
            Recommend agents
          </Button>
          {mayManage ? newAgent : null}
        </>
      }
    >
      <ListTools count={countText(agents?.length)}>
        <SearchField label="Search agents" text={text} onChange={(wanted) => filterBy({ search: wanted })} />
        <NativeSelect
          data-filter
          size="sm"
          aria-label="Category"
          data={categoryChoices(data?.categories ?? [], category)}
          value={category ?? ''}
          onChange={({ currentTarget }) => filterBy({ category: currentTarget.value })}
        />
      </ListTools>
      {data === undefined && failure !== null ? (
        <FailureNotice
          what="The agents could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <Surface>
          <AgentTable
            agents={agents}
            mayManage={mayManage}
            onShowAll={() => filterBy({ search: undefined, category: undefined })}
          />
        </Surface>
      )}
    </Page>
  )
}

/** The categories to choose from. The chosen category is listed before the others are loaded. */
function categoryChoices(categories: readonly AgentCategory[], chosen: string | undefined) {
  return [
    { value: '', label: 'All categories' },
    ...(categories.length === 0 && chosen !== undefined ? [{ value: chosen, label: chosen }] : []),
    ...categories.map(({ id, label, count }) => ({ value: id, label: `${label} (${count})` })),
  ]
}

function countText(count: number | undefined): string | undefined {
  if (count === undefined) return undefined
  return count === 1 ? '1 agent' : `${count.toLocaleString()} agents`
}

/** On narrow screens, where each row is a list, unknown values take no line. */
function known(told: string): ReactNode {
  return told === '–' ? <span data-none>–</span> : told
}

const columns: ReadonlyArray<Column<AgentEntry>> = [
  {
    title: 'Agent',
    value: ({ label }) => label,
    minWidth: 240,
    placeholderWidth: 160,
    cell: ({ id, label, description, status, built_in: builtIn }) => (
      <span className={styles['name']}>
        <Link to="/agents/$agent" params={{ agent: id }}>
          {label}
        </Link>
        {status === 'active' ? null : <Status {...agentStates[status]} />}
        <span className={styles['about']}>{builtIn ? `Built in · ${description}` : description}</span>
      </span>
    ),
  },
  {
    title: 'Language model',
    value: (agent) => describeNeed(agent).word,
    minWidth: 112,
    placeholderWidth: 88,
    cell: (agent) => <Status {...describeNeed(agent)} />,
  },
  { title: 'Surcharge', minor: true, placeholderWidth: 48, cell: ({ pricing }) => describeFee(pricing) },
  {
    title: 'Cost per run',
    value: ({ performance_metrics: measured }) => measured?.average_cost ?? null,
    numeric: true,
    placeholderWidth: 40,
    cell: ({ performance_metrics: measured }) => known(describeCost(measured?.average_cost)),
  },
  {
    title: 'Success rate',
    value: ({ performance_metrics: measured }) => measured?.success_rate ?? null,
    numeric: true,
    placeholderWidth: 40,
    cell: ({ performance_metrics: measured }) => known(describePercent(measured?.success_rate)),
  },
  {
    title: 'Runs in 24 h',
    value: ({ performance_metrics: measured }) => measured?.executions_24h ?? null,
    numeric: true,
    minor: true,
    placeholderWidth: 24,
    cell: ({ performance_metrics: measured }) => measured?.executions_24h.toLocaleString() ?? '–',
  },
  {
    title: 'Rating',
    value: ({ performance_metrics: measured }) => measured?.user_rating ?? null,
    numeric: true,
    placeholderWidth: 48,
    cell: ({ performance_metrics: measured }) => known(describeRating(measured?.user_rating)),
  },
]

const columnsWithActions: ReadonlyArray<Column<AgentEntry>> = [
  ...columns,
  {
    title: 'Actions',
    quiet: true,
    numeric: true,
    cell: (agent) => <AgentActions agent={agent} label={`More actions for ${agent.label}`} isInRow />,
  },
]

interface AgentTableProps {
  /** Undefined while loading. */
  readonly agents: readonly AgentEntry[] | undefined
  readonly mayManage: boolean
  readonly onShowAll: () => void
}

/** Agents with their metrics of the last 30 days, each a link to its page. */
function AgentTable({ agents, mayManage, onShowAll }: AgentTableProps) {
  if (agents?.length === 0) {
    return (
      <EmptyState
        sentence="No agents match."
        action={
          <Button size="compact-sm" variant="default" onClick={onShowAll}>
            Show all agents
          </Button>
        }
        link={
          mayManage ? (
            <Link to="/agents/new">Create one</Link>
          ) : (
            <a href={apiReferencePath}>About agents in the API reference</a>
          )
        }
      />
    )
  }
  return (
    <Table
      label="Agents"
      name="main"
      hasFilter={false}
      columns={mayManage ? columnsWithActions : columns}
      rows={agents}
      rowKey={({ id }) => id}
      placeholderRows={8}
    />
  )
}
