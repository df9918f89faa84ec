import '../../theme/mantine-form.css'
import { Button, NativeSelect } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { Page } from '../../parts/Page.tsx'
import { SearchField } from '../../parts/SearchField.tsx'
import { Surface } from '../../parts/Section.tsx'
import { AgentTable } from './AgentTable.tsx'
import type { AgentCategory } from './agent-bodies.ts'
import { agentsQuery } from './agent-queries.ts'
import { readAgentSearch } from './agent-search.ts'
import { narrowAgents } from './agent-words.ts'

const route = getRouteApi('/agents')

const sorts = [
  { value: 'name', label: 'By name' },
  { value: 'success_rate', label: 'Most successful first' },
  { value: 'cost', label: 'Cheapest first' },
  { value: 'usage', label: 'Busiest first' },
]

/** The agents there are: what each can do, costs and has shown. */
export function AgentsPage() {
  // The address may say what makes no sense, and keeps it.
  const search = readAgentSearch({ ...route.useSearch() })
  const { search: text, category, sort } = search
  const navigate = route.useNavigate()
  const { data, failure, refetch } = useAnswer(agentsQuery(useApi(), search))
  const agents = data && narrowAgents(data.agents, text)
  const filterBy = (wanted: Record<string, string | undefined>) =>
    void navigate({ search: readAgentSearch({ ...search, ...wanted }), replace: true })

  return (
    <Page
      title="Agents"
      lead="Each does one kind of work on a text, and its result is checked. What they cost and how they did is measured over 30 days."
      aside={
        <Button
          size="compact-sm"
          variant="default"
          renderRoot={(props) => <Link to="/workflows" search={{ tab: 'advice' }} {...props} />}
        >
          What should I use?
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
          aria-label="Order"
          data={sorts}
          value={sort ?? 'name'}
          onChange={({ currentTarget }) => filterBy({ sort: currentTarget.value })}
        />
      </ListTools>
      {data === undefined && failure !== null ? (
        <FailureNotice what="The agents could not be read." error={failure} onRetry={() => void refetch()} />
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

/** What can be chosen; what is chosen is there before anybody knows the others. */
function categoryChoices(categories: readonly AgentCategory[], chosen: string | undefined) {
  return [
    { value: '', label: 'Every category' },
    ...(categories.length === 0 && chosen !== undefined ? [{ value: chosen, label: chosen }] : []),
    ...categories.map(({ id, label, count }) => ({ value: id, label: `${label} (${count})` })),
  ]
}

function countText(count: number | undefined): string | undefined {
  if (count === undefined) return undefined
  return count === 1 ? '1 agent' : `${count.toLocaleString()} agents`
}
