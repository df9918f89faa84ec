import '../../../theme/mantine-form.css'
import { Button, SegmentedControl } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { EmptyState } from '../../../parts/EmptyState.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { ListTools } from '../../../parts/ListTools.tsx'
import { Page } from '../../../parts/Page.tsx'
import { Pager } from '../../../parts/Pager.tsx'
import { SearchField } from '../../../parts/SearchField.tsx'
import { Surface } from '../../../parts/Section.tsx'
import { Status } from '../../../parts/Status.tsx'
import { type Column, rowsOf, Table } from '../../../parts/Table.tsx'
import { lazyPart } from '../../../shell/loading/lazy-part.tsx'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import { SiteSelect } from '../sites/SiteSelect.tsx'
import { sitesQuery } from '../sites/site-calls.ts'
import { PublishButton } from './PublishButton.tsx'
import styles from './ToursPage.module.css'
import { numbersQuery, type Tour, type TourNumbers, toursQuery } from './tour-calls.ts'
import type { TourSearch } from './tour-search.ts'
import { countOf } from './tour-words.ts'
import { useMay } from './use-may.ts'

const CreateTour = lazyPart(() => import('./CreateTour.tsx'))
const route = getRouteApi('/admin/structure/recipe-onboarding/tours')

/** The list of tours, and the buttons that create one. */
export function ToursPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const cache = useQueryClient()
  const may = useMay()
  const { data, failure, refetch } = useApiQuery(toursQuery(api, search))
  const ids = may.seeAnalytics ? (data?.tours.map(({ id }) => id) ?? []) : []
  const numbers = useQuery(numbersQuery(api, ids)).data
  const sites = new Map(useQuery(sitesQuery(api)).data?.map(({ id, label }) => [id, label]))

  const narrow = (change: Filters) =>
    void navigate({ search: (now) => filtersOf({ ...now, ...change }), replace: true })
  const openCreate = () => void navigate({ search: (now) => ({ ...now, create: 'visual' }) })
  const close = () => void navigate({ search: withoutDialog, resetScroll: false })
  const refresh = () => cache.invalidateQueries({ queryKey: ['tours'] })

  return (
    <Page
      title="Tours"
      lead="Guided tours of a site. Build them here, play them on its pages and export them as recipes."
      aside={
        <>
          <Button
            size="compact-sm"
            variant="default"
            renderRoot={(props) => (
              <Link to="/admin/structure/recipe-onboarding/tours/templates" {...props} />
            )}
          >
            Templates
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            renderRoot={(props) => <Link to="/tour-sites" {...props} />}
          >
            Sites
          </Button>
          {may.create ? (
            <Button size="compact-sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={openCreate}>
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
        <SiteSelect
          aria-label="Site"
          size="xs"
          none="All sites"
          value={search.site ?? ''}
          onChange={(site) => narrow({ site: site === '' ? undefined : site })}
        />
      </ListTools>
      {data === undefined && failure !== null ? (
        <FailureNotice what="The tours could not be loaded." error={failure} onRetry={() => void refetch()} />
      ) : (
        <>
          <Surface>
            <TourTable
              tours={rowsOf(data && { data: data.tours, total: data.total })}
              total={data?.total}
              numbers={numbers}
              sites={sites}
              may={may}
              isNarrowed={
                search.search !== undefined || search.state !== undefined || search.site !== undefined
              }
              onShowAll={() => void navigate({ search: {} })}
              onCreate={openCreate}
              onChanged={refresh}
            />
          </Surface>
          <Pager
            order="oldest first"
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
  readonly site?: string | undefined
}

/** A filtered list begins at its first page. */
function filtersOf({ search, state, site }: Filters): TourSearch {
  return {
    ...(search === undefined ? {} : { search }),
    ...(state === 'published' || state === 'draft' ? { state } : {}),
    ...(site === undefined ? {} : { site }),
  }
}

function withoutDialog({ create: _create, template: _template, ...list }: TourSearch): TourSearch {
  return list
}

interface TourTableProps {
  /** The number of rows on all pages. */
  readonly total: number | undefined
  readonly tours: readonly Tour[] | undefined
  readonly numbers: ReadonlyMap<string, TourNumbers> | undefined
  /** The labels of the sites by their ids. */
  readonly sites: ReadonlyMap<string, string>
  readonly may: ReturnType<typeof useMay>
  readonly isNarrowed: boolean
  readonly onShowAll: () => void
  readonly onCreate: () => void
  readonly onChanged: () => Promise<void>
}

/** The table of tours; each row links to its tour. */
function TourTable({
  tours,
  total,
  numbers,
  sites,
  may,
  isNarrowed,
  onShowAll,
  onCreate,
  onChanged,
}: TourTableProps) {
  if (tours?.length === 0) return <NoTours {...{ isNarrowed, mayCreate: may.create, onShowAll, onCreate }} />
  return (
    <Table
      label="Tours"
      name="main"
      hasFilter={false}
      columns={columnsFor({ numbers, sites, may, onChanged })}
      rows={tours}
      total={total}
      rowKey={({ id }) => id}
      placeholderRows={4}
    />
  )
}

function columnsFor({
  numbers,
  sites,
  may,
  onChanged,
}: Pick<TourTableProps, 'numbers' | 'sites' | 'may' | 'onChanged'>): ReadonlyArray<Column<Tour>> {
  const siteOf = ({ site_id }: Tour) => sites.get(site_id) ?? site_id
  const none = <span className={styles['none']}>–</span>
  const seen: ReadonlyArray<Column<Tour>> = [
    {
      title: 'Views (30 days)',
      value: ({ id }) => numbers?.get(id)?.views ?? null,
      numeric: true,
      minor: true,
      placeholderWidth: 32,
      cell: ({ id }) => numbers?.get(id)?.views.toLocaleString() ?? (numbers === undefined ? null : none),
    },
    {
      title: 'Completed',
      value: ({ id }) => numbers?.get(id)?.completion_rate ?? null,
      numeric: true,
      placeholderWidth: 40,
      cell: ({ id }) => {
        const rate = numbers?.get(id)?.completion_rate
        if (rate === undefined || rate === null) return numbers === undefined ? null : none
        return <span title="Share of starts">{`${Math.round(rate)} %`}</span>
      },
    },
  ]
  return [
    {
      title: 'Tour',
      value: ({ label }) => label,
      placeholderWidth: 160,
      cell: ({ id, label }) => (
        <span className={styles['tour']}>
          <Link to="/admin/structure/recipe-onboarding/tours/$tour" params={{ tour: id }}>
            {label}
          </Link>
          <span className={styles['id']}>{id}</span>
        </span>
      ),
    },
    { title: 'Site', value: siteOf, minor: true, placeholderWidth: 80, cell: siteOf },
    {
      title: 'State',
      value: ({ status }) => (status ? 'Published' : 'Draft'),
      minWidth: 104,
      placeholderWidth: 72,
      cell: ({ status }) =>
        status ? <Status tone="good" word="Published" /> : <Status tone="idle" word="Draft" />,
    },
    {
      title: 'Steps',
      value: ({ tips }) => tips.length,
      numeric: true,
      placeholderWidth: 24,
      cell: ({ tips }) => tips.length,
    },
    ...(may.seeAnalytics ? seen : []),
    {
      title: 'Changed',
      value: ({ updated_at: at }) => at,
      numeric: true,
      minor: true,
      placeholderWidth: 56,
      cell: ({ updated_at }) => <RelativeTime at={updated_at} />,
    },
    ...(may.edit
      ? [
          {
            title: 'Actions',
            quiet: true,
            numeric: true,
            placeholderWidth: 56,
            cell: (tour: Tour) => <PublishButton tour={tour} size="row" onChanged={onChanged} />,
          },
        ]
      : []),
  ]
}

interface NoToursProps {
  readonly isNarrowed: boolean
  readonly mayCreate: boolean
  readonly onShowAll: () => void
  readonly onCreate: () => void
}

function NoTours({ isNarrowed, mayCreate, onShowAll, onCreate }: NoToursProps) {
  const link = <Link to="/admin/structure/recipe-onboarding/tours/templates">View templates</Link>
  if (isNarrowed) {
    return (
      <EmptyState
        sentence="No tours match."
        action={
          <Button size="compact-sm" variant="default" onClick={onShowAll}>
            Show all tours
          </Button>
        }
        link={link}
      />
    )
  }
  return (
    <EmptyState
      sentence="No tours yet. A tour explains a page step by step."
      action={
        mayCreate ? (
          <Button size="compact-sm" variant="default" onClick={onCreate}>
            Create the first tour
          </Button>
        ) : null
      }
      link={link}
    />
  )
}
