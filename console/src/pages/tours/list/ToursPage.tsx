import '../../../theme/mantine-form.css'
import { Button, SegmentedControl } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { ListTools } from '../../../parts/ListTools.tsx'
import { Page } from '../../../parts/Page.tsx'
import { Pager } from '../../../parts/Pager.tsx'
import { SearchField } from '../../../parts/SearchField.tsx'
import { Surface } from '../../../parts/Section.tsx'
import { rowsOf } from '../../../parts/Table.tsx'
import { TourTable } from './TourTable.tsx'
import { numbersQuery, toursQuery } from './tour-calls.ts'
import type { TourSearch } from './tour-search.ts'
import { countOf } from './tour-words.ts'
import { useMay } from './use-may.ts'

const CreateTour = lazy(() => import('./CreateTour.tsx'))
const route = getRouteApi('/admin/structure/recipe-onboarding/tours')

/** Every tour there is, and the ways to make one. */
export function ToursPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const cache = useQueryClient()
  const may = useMay()
  const { data, failure, refetch } = useApiQuery(toursQuery(api, search))
  const ids = may.seeAnalytics ? (data?.tours.map(({ id }) => id) ?? []) : []
  const numbers = useQuery(numbersQuery(api, ids)).data

  const narrow = (change: Filters) =>
    void navigate({ search: (now) => filtersOf({ ...now, ...change }), replace: true })
  const openCreate = () => void navigate({ search: (now) => ({ ...now, create: 'visual' }) })
  const close = () => void navigate({ search: withoutDialog, resetScroll: false })
  const refresh = () => cache.invalidateQueries({ queryKey: ['tours'] })

  return (
    <Page
      title="Tours"
      lead="Guided tours of a site. Build them here, play them on any page and export them as recipes."
      aside={
        <>
          <Button
            size="sm"
            variant="default"
            renderRoot={(props) => (
              <Link to="/admin/structure/recipe-onboarding/tours/templates" {...props} />
            )}
          >
            Templates
          </Button>
          {may.create ? (
            <Button size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={openCreate}>
              Create tour
            </Button>
          ) : null}
        </>
      }
    >
      <ListTools count={data === undefined ? undefined : countOf(data.total, 'tour')}>
        <SearchField
          label="Search tours"
          text={search.search}
          onChange={(text) => narrow({ search: text })}
        />
        <SegmentedControl
          size="xs"
          aria-label="Filter tours"
          value={search.state ?? 'all'}
          onChange={(value) => narrow({ state: value })}
          data={[
            { value: 'all', label: 'All' },
            { value: 'published', label: 'Published' },
            { value: 'draft', label: 'Drafts' },
          ]}
        />
      </ListTools>
      {data === undefined && failure !== null ? (
        <FailureNotice what="The tours could not be loaded." error={failure} onRetry={() => void refetch()} />
      ) : (
        <>
          <Surface>
            <TourTable
              tours={rowsOf(data && { data: data.tours, total: data.total })}
              numbers={numbers}
              may={may}
              isNarrowed={search.search !== undefined || search.state !== undefined}
              onShowAll={() => void navigate({ search: {} })}
              onCreate={openCreate}
              onChanged={refresh}
            />
          </Surface>
          <Pager
            page={search.page ?? 1}
            total={data?.total}
            onPage={(wanted, { replace }) =>
              void navigate({ search: (now) => ({ ...now, page: wanted }), replace })
            }
          />
        </>
      )}
      <Suspense>
        {search.create !== undefined && may.create ? (
          <CreateTour
            way={search.create}
            template={search.template}
            onWay={(way) => void navigate({ search: (now) => ({ ...now, create: way }), replace: true })}
            onClose={close}
            onImported={async (made) => {
              await refresh()
              const [only, ...others] = made
              if (only === undefined || others.length > 0) close()
              else
                await navigate({
                  to: '/admin/structure/recipe-onboarding/tours/$tour',
                  params: { tour: only },
                })
            }}
          />
        ) : null}
      </Suspense>
    </Page>
  )
}

interface Filters {
  readonly search?: string | undefined
  readonly state?: string | undefined
}

/** A list that is narrowed begins at its first page. */
function filtersOf({ search, state }: Filters): TourSearch {
  return {
    ...(search === undefined ? {} : { search }),
    ...(state === 'published' || state === 'draft' ? { state } : {}),
  }
}

function withoutDialog({ create: _create, template: _template, ...list }: TourSearch): TourSearch {
  return list
}
