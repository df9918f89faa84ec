import '../../theme/mantine-form.css'
import { Button, NativeSelect } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { Page } from '../../parts/Page.tsx'
import { SearchField } from '../../parts/SearchField.tsx'
import { Surface } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
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
} from './agent-words.ts'

const route = getRouteApi('/agents')

const sorts = [
  { value: 'name', label: 'Name' },
  { value: 'success_rate', label: 'Success rate' },
  { value: 'cost', label: 'Lowest cost' },
  { value: 'usage', label: 'Most runs' },
]

/** The catalogue of agents: capabilities, cost and metrics. */
export function AgentsPage() {
  // Invalid search parameters stay in the URL and are dropped here.
  const search = readAgentSearch({ ...route.useSearch() })
  const { search: text, category, sort } = search
  const navigate = route.useNavigate()
  const { data, failure, refetch } = useApiQuery(agentsQuery(useApi(), search))
  const agents = data && narrowAgents(data.agents, text)
  const filterBy = (wanted: Record<string, string | undefined>) =>
    void navigate({ search: readAgentSearch({ ...search, ...wanted }), replace: true })

  return (
    <Page
      title="Agents"
      lead="Each agent does one task on a text, and its output is checked. Cost and success are measured over 30 days."
      aside={
        <Button
          size="compact-sm"
          variant="default"
          renderRoot={(props) => <Link to="/agents/recommend" {...props} />}
        >
          Recommend agents
        </Button>
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
        <NativeSelect
          size="sm"
          aria-label="Sort by"
          data={sorts}
          value={sort ?? 'name'}
          onChange={({ currentTarget }) => filterBy({ sort: currentTarget.value })}
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
    minWidth: 240,
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
    minWidth: 112,
    placeholderWidth: 88,
    cell: (agent) => <Status {...describeNeed(agent)} />,
  },
  { title: 'Surcharge', minor: true, placeholderWidth: 48, cell: ({ pricing }) => describeFee(pricing) },
  {
    title: 'Cost per run',
    numeric: true,
    placeholderWidth: 40,
    cell: ({ performance_metrics: measured }) => known(describeCost(measured?.average_cost)),
  },
  {
    title: 'Success rate',
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
  /** Undefined while loading. */
  readonly agents: readonly AgentEntry[] | undefined
  readonly onShowAll: () => void
}

/** Agents with their metrics of the last 30 days, each a link to its page. */
function AgentTable({ agents, onShowAll }: AgentTableProps) {
  if (agents?.length === 0) {
    return (
      <EmptyState
        sentence="No agents match."
        action={
          <Button size="compact-sm" variant="default" onClick={onShowAll}>
            Show all agents
          </Button>
        }
        link={<a href={apiReferencePath}>Create one through the API</a>}
      />
    )
  }
  return <Table label="Agents" columns={columns} rows={agents} rowKey={({ id }) => id} placeholderRows={8} />
}
