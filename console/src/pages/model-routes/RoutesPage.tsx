import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { useMay } from '../../api/use-may.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Surface } from '../../parts/Section.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { AccountName } from '../usage/AccountName.tsx'
import { type ModelRoute, routesQuery } from './route-queries.ts'
import type { RouteSearch } from './route-search.ts'
import { describeStrategy, listTargets } from './route-words.ts'

const RouteDrawer = lazyPart(() => import('./RouteDrawer.tsx'))
const NewRoute = lazyPart(() => import('./NewRoute.tsx'))
const page = getRouteApi('/routes')

/** The routes: names that callers use in place of a model. */
export function RoutesPage() {
  const { route: openName, create } = page.useSearch()
  const navigate = page.useNavigate()
  const mayChange = useMay('administer llm')
  const { data: routes, failure, refetch } = useApiQuery(routesQuery(useApi()))
  const show = (search: RouteSearch) => void navigate({ search, resetScroll: false })
  const newRoute = mayChange ? (
    <Button
      size="compact-sm"
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => show({ create: true })}
    >
      New route
    </Button>
  ) : null

  return (
    <Page
      title="Routes"
      lead="Names that callers use in place of a model. Change the models behind a name without a change in any client."
      aside={newRoute}
    >
      {routes === undefined && failure !== null ? (
        <FailureNotice
          what="The routes could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <Surface>
          {routes?.length === 0 ? (
            <EmptyState
              sentence="There are no routes yet. A route gives callers one name for a fallback list, a weighted split, or the cheapest or fastest of several models."
              action={
                mayChange ? (
                  <Button size="compact-sm" variant="default" onClick={() => show({ create: true })}>
                    Create a route
                  </Button>
                ) : null
              }
              link={<a href={apiReferencePath}>Save routes through the API</a>}
            />
          ) : (
            <Table
              label="Routes"
              name="main"
              columns={columns}
              rows={routes}
              rowKey={({ name }) => name}
              onOpen={({ name }) => show({ route: name })}
              isOpen={({ name }) => name === openName}
            />
          )}
        </Surface>
      )}
      <Suspense>
        {openName === undefined || routes === undefined ? null : (
          <RouteDrawer
            key={openName}
            name={openName}
            route={routes.find(({ name }) => name === openName)}
            onClose={() => show({})}
          />
        )}
        {create === true && mayChange && routes !== undefined ? (
          <NewRoute
            routes={routes}
            onClose={() => show({})}
            onCreated={({ name }) => show({ route: name })}
          />
        ) : null}
      </Suspense>
    </Page>
  )
}

const columns: ReadonlyArray<Column<ModelRoute>> = [
  { title: 'Name', placeholderWidth: 80, value: ({ name }) => name, cell: ({ name }) => name },
  {
    title: 'Strategy',
    value: ({ strategy }) => describeStrategy(strategy),
    minWidth: 72,
    placeholderWidth: 64,
    cell: ({ strategy }) => describeStrategy(strategy),
  },
  {
    title: 'Targets',
    value: ({ targets }) => listTargets(targets),
    minWidth: 160,
    placeholderWidth: 180,
    cell: ({ targets }) => listTargets(targets),
  },
  {
    title: 'Version',
    numeric: true,
    value: ({ version }) => version,
    placeholderWidth: 16,
    cell: ({ version }) => version.toLocaleString(),
  },
  {
    title: 'Updated',
    numeric: true,
    value: ({ updated_at }) => updated_at,
    placeholderWidth: 56,
    cell: ({ updated_at }) => <RelativeTime at={updated_at} />,
  },
  {
    title: 'By',
    minor: true,
    placeholderWidth: 48,
    cell: ({ updated_by }) => (updated_by === null ? '–' : <AccountName id={updated_by} />),
  },
]
