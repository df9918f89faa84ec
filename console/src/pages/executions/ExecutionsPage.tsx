import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useMay } from '../../api/use-may.ts'
import { Page } from '../../parts/Page.tsx'
import { PageTabs } from '../../parts/PageTabs.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { ExecutionList } from './ExecutionList.tsx'
import { readExecutionSearch } from './execution-search.ts'

const LiveView = lazyPart(() => import('./live/LiveView.tsx'))
const route = getRouteApi('/executions')

const views = [
  { value: 'list', label: 'All runs' },
  { value: 'live', label: 'Live' },
] as const

/** The executions of all workflows: the list, or their events in real time. */
export function ExecutionsPage() {
  // Invalid search parameters stay in the URL and are dropped here.
  const search = readExecutionSearch({ ...route.useSearch() })
  const { view, kind } = search
  const navigate = route.useNavigate()
  // The event stream requires the permission to run workflows.
  const mayFollow = useMay('run workflows')
  return (
    <Page title="Executions" lead="Every run of a workflow, with its state, result and cost.">
      {mayFollow ? (
        <PageTabs
          label="Executions"
          tabs={views}
          value={view ?? 'list'}
          onChange={(wanted) => void navigate({ search: wanted === 'live' ? { view: 'live' } : {} })}
        >
          {view === 'live' ? (
            <Suspense>
              <LiveView
                kind={kind}
                onKind={(wanted) =>
                  void navigate({ search: readExecutionSearch({ view, kind: wanted }), replace: true })
                }
              />
            </Suspense>
          ) : (
            <ExecutionList search={search} />
          )}
        </PageTabs>
      ) : (
        <ExecutionList search={view === 'live' ? {} : search} />
      )}
    </Page>
  )
}
