import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useApi } from '../../../api/api-context.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Page } from '../../../parts/Page.tsx'
import { Surface } from '../../../parts/Section.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import { useMay } from '../list/use-may.ts'
import { SiteDrawer } from './SiteDrawer.tsx'
import { type Site, sitesQuery } from './site-calls.ts'

const route = getRouteApi('/tour-sites')

/** The sites that tours belong to. */
export function SitesPage() {
  const { site: openId, create } = route.useSearch()
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const may = useMay()
  const { data: sites, failure, refetch } = useApiQuery(sitesQuery(useApi()))
  const open = sites?.find(({ id }) => id === openId)
  const close = () => void navigate({ search: {}, resetScroll: false })
  return (
    <Page
      title="Sites"
      lead="A tour belongs to a site and plays on its pages only. The tag of the player names the site."
      aside={
        <>
          <Button
            size="compact-sm"
            variant="default"
            renderRoot={(props) => <Link to="/admin/structure/recipe-onboarding/tours" {...props} />}
          >
            Tours
          </Button>
          {may.administer ? (
            <Button
              size="compact-sm"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => void navigate({ search: { create: true } })}
            >
              Add site
            </Button>
          ) : null}
        </>
      }
    >
      {sites === undefined && failure !== null ? (
        <FailureNotice what="The sites could not be loaded." error={failure} onRetry={() => void refetch()} />
      ) : (
        <Surface>
          <Table
            label="Sites"
            name="main"
            columns={columns}
            rows={sites}
            rowKey={({ id }) => id}
            onOpen={({ id }) => void navigate({ search: { site: id }, resetScroll: false })}
            isOpen={({ id }) => id === openId}
          />
        </Surface>
      )}
      {open === undefined && create !== true ? null : (
        <SiteDrawer
          key={open?.id ?? 'new'}
          site={open}
          may={may}
          onChanged={() => cache.invalidateQueries({ queryKey: ['tours', 'sites'] })}
          onClose={close}
        />
      )}
    </Page>
  )
}

function describeEnvironments({ id, environments }: Site): string {
  if (id === 'console') return 'This platform'
  return environments.length === 0 ? 'Any origin' : environments.map(({ origin }) => origin).join(', ')
}

const columns: ReadonlyArray<Column<Site>> = [
  { title: 'Site', value: ({ label }) => label, placeholderWidth: 120, cell: ({ label }) => label },
  {
    title: 'ID',
    value: ({ id }) => id,
    minor: true,
    placeholderWidth: 80,
    cell: ({ id }) => <code>{id}</code>,
  },
  {
    title: 'Environments',
    value: describeEnvironments,
    placeholderWidth: 200,
    cell: describeEnvironments,
  },
  {
    title: 'Tours',
    value: ({ tours }) => tours,
    numeric: true,
    placeholderWidth: 24,
    cell: ({ tours }) => tours,
  },
  {
    title: 'Changed',
    value: ({ updated_at: at }) => at,
    numeric: true,
    minor: true,
    placeholderWidth: 56,
    cell: ({ updated_at }) => <RelativeTime at={updated_at} />,
  },
]
