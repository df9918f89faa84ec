import '../../theme/mantine-form.css'
import { Button, NativeSelect } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { useMay } from '../../api/use-may.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { Page } from '../../parts/Page.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { SearchField } from '../../parts/SearchField.tsx'
import { Surface } from '../../parts/Section.tsx'
import { rowsOf } from '../../parts/Table.tsx'
import { FlowTable } from './FlowTable.tsx'
import { flowsQuery } from './flow-queries.ts'
import { readFlowSearch } from './flow-search.ts'

const ImportFlow = lazy(() => import('./ImportFlow.tsx'))
const route = getRouteApi('/flows')

const choices = [
  { value: '', label: 'All flows' },
  { value: 'mine', label: 'Created by you' },
  { value: 'built_in', label: 'Built in' },
]

/** The flows there are, with how they did lately. */
export function FlowsPage() {
  // The address may say what makes no sense, and keeps it.
  const search = readFlowSearch({ ...route.useSearch() })
  const { search: text, tag, which, page = 1 } = search
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const mayRun = useMay('run workflows')
  const mayManage = useMay('manage workflows')
  const { data, failure, refetch } = useApiQuery(flowsQuery(useApi(), search))
  const filterBy = (wanted: Record<string, string | undefined>) =>
    void navigate({ search: readFlowSearch({ search: text, tag, which, ...wanted }), replace: true })
  const openImport = (isOpen: boolean) =>
    void navigate({
      search: readFlowSearch({ search: text, tag, which, page, import: isOpen }),
      replace: true,
    })

  return (
    <Page
      title="Flows"
      lead="Workflows of models, agents and services, with their recent results."
      aside={
        mayManage ? (
          <>
            <Button size="compact-sm" variant="default" onClick={() => openImport(true)}>
              Import
            </Button>
            <Button size="compact-sm" renderRoot={(props) => <Link to="/new-flow" {...props} />}>
              New flow
            </Button>
          </>
        ) : undefined
      }
    >
      <ListTools count={countText(data?.total)}>
        <SearchField label="Search flows" text={text} onChange={(wanted) => filterBy({ search: wanted })} />
        <SearchField label="Tag" text={tag} onChange={(wanted) => filterBy({ tag: wanted })} />
        <NativeSelect
          data-filter
          size="sm"
          aria-label="Filter flows"
          data={choices}
          value={which ?? ''}
          onChange={({ currentTarget }) => filterBy({ which: currentTarget.value })}
        />
      </ListTools>
      {data === undefined && failure !== null ? (
        <FailureNotice what="The flows could not be loaded." error={failure} onRetry={() => void refetch()} />
      ) : (
        <>
          <Surface>
            <FlowTable
              flows={rowsOf(data && { data: data.flows, total: data.total })}
              isNarrowed={text !== undefined || tag !== undefined}
              mayRun={mayRun}
              mayManage={mayManage}
              onShowAll={() => filterBy({ search: undefined, tag: undefined, which: undefined })}
            />
          </Surface>
          <Pager
            page={page}
            total={data?.total}
            onPage={(wanted, { replace }) =>
              void navigate({ search: (now) => ({ ...now, page: wanted }), replace })
            }
          />
        </>
      )}
      <Suspense>
        {search.import === true && mayManage ? (
          <ImportFlow
            onDone={() => cache.invalidateQueries({ queryKey: ['flows'] })}
            onClose={() => openImport(false)}
          />
        ) : null}
      </Suspense>
    </Page>
  )
}

function countText(total: number | undefined): string | undefined {
  if (total === undefined) return undefined
  return total === 1 ? '1 flow' : `${total.toLocaleString()} flows`
}
