import '../../theme/mantine-form.css'
import { SegmentedControl } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useMay } from '../../api/use-may.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { Page } from '../../parts/Page.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { rowsOf } from '../../parts/rows-of.ts'
import { SearchField } from '../../parts/SearchField.tsx'
import { Surface } from '../../parts/Section.tsx'
import { readAdviceWishes } from './advice/advice-wishes.ts'
import { WorkflowTable } from './WorkflowTable.tsx'
import { workflowsQuery } from './workflow-queries.ts'
import { readWorkflowSearch, type WorkflowSearch } from './workflow-search.ts'

const RunWorkflow = lazy(() => import('./RunWorkflow.tsx'))
const AdvicePanel = lazy(() => import('./advice/AdvicePanel.tsx'))
const route = getRouteApi('/workflows')

const tabs = [
  { value: 'list', label: 'Workflows' },
  { value: 'advice', label: 'What should I use?' },
]

/** Workflows of agents: which there are, running one, and which agents suit a content. */
export function WorkflowsPage() {
  // The address may say what makes no sense, and keeps it.
  const search = readWorkflowSearch({ ...route.useSearch() })
  const { tab, run } = search
  const navigate = route.useNavigate()
  const mayRun = useMay('run workflows')
  const go = (wanted: WorkflowSearch) => void navigate({ search: wanted, replace: true, resetScroll: false })
  const { run: _, ...closed } = search
  return (
    <Page
      title="Workflows"
      lead="Agents that work together on a text, under a name. Run one, or have agents recommended for what you have."
    >
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label="What to show"
        data={tabs}
        value={tab ?? 'list'}
        onChange={(wanted) => go(readWorkflowSearch({ ...search, tab: wanted }))}
      />
      {tab === 'advice' ? (
        <Suspense>
          <AdvicePanel
            wishes={readAdviceWishes({ ...search })}
            isAsked={search.asked === true}
            onAsk={(wishes) => go({ tab: 'advice', asked: true, ...wishes })}
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
  const { data, failure, refetch } = useAnswer(workflowsQuery(useApi(), { search: text, page }))
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
          what="The workflows could not be read."
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
