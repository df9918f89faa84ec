import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Section } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeMilliseconds } from '../cluster/node-words.ts'
import { modelsQuery } from '../playground/models-query.ts'
import { Prices } from './Prices.tsx'
import { ProbeButton } from './ProbeButton.tsx'
import styles from './ProviderTable.module.css'
import { listPrices } from './price-rows.ts'
import { type Provider, pricesQuery, providersQuery } from './provider-queries.ts'
import type { ProviderSearch } from './provider-search.ts'
import { describeKey, describeProvider, providerStates } from './provider-words.ts'

const ProviderDrawer = lazy(() => import('./ProviderDrawer.tsx'))
const PriceDrawer = lazy(() => import('./PriceDrawer.tsx'))
const route = getRouteApi('/providers')

/** Providers, their keys, and prices. */
export function ProvidersPage() {
  const api = useApi()
  const { provider: openName, search, page = 1, price: openKey, create } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: providers, failure, refetch } = useApiQuery(providersQuery(api))
  const { data: models } = useQuery(modelsQuery(api))
  const { data: prices } = useQuery(pricesQuery(api))
  const rows = models === undefined || prices === undefined ? undefined : listPrices(models, prices.data)

  const open = (dialog: Pick<ProviderSearch, 'provider' | 'price' | 'create'>) =>
    void navigate({ search: (now) => ({ ...withoutDialog(now), ...dialog }), resetScroll: false })
  const close = () => open({})
  const opened = rows?.find(({ key }) => key === openKey)

  return (
    <Page
      title="Providers"
      lead="Model providers in the order they are tried: the cluster, cloud providers with a key, and the built-in models."
    >
      {providers === undefined && failure !== null ? (
        <FailureNotice
          what="The providers could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <Section title="Providers" note={countText(providers)}>
          <ProviderTable
            providers={providers}
            openName={openName}
            onOpen={(name) => open({ provider: name })}
          />
        </Section>
      )}
      <Prices
        rows={rows}
        tableVersion={prices?.table_version}
        search={search}
        page={page}
        openKey={openKey}
        onSearch={(text) =>
          void navigate({ search: text === undefined ? {} : { search: text }, replace: true })
        }
        onPage={(wanted, { replace }) =>
          void navigate({ search: (now) => ({ ...now, page: wanted }), replace })
        }
        onOpen={(key) => open({ price: key })}
        onCreate={() => open({ create: true })}
      />
      <Suspense>
        {openName === undefined || providers === undefined ? null : (
          <ProviderDrawer
            key={openName}
            name={openName}
            provider={providers.find(({ name }) => name === openName)}
            onClose={close}
          />
        )}
        {opened === undefined ? null : <PriceDrawer key={opened.key} row={opened} onClose={close} />}
        {create === true ? <PriceDrawer row={undefined} onClose={close} /> : null}
      </Suspense>
    </Page>
  )
}

function withoutDialog(search: ProviderSearch): ProviderSearch {
  const { provider: _, price: __, create: ___, ...list } = search
  return list
}

function countText(providers: readonly Provider[] | undefined): string | undefined {
  if (providers === undefined) return undefined
  return `${providers.filter(({ state }) => state === 'online').length} of ${providers.length} online`
}

const columns: ReadonlyArray<Column<Provider>> = [
  { title: 'Provider', placeholderWidth: 80, cell: ({ name }) => describeProvider(name) },
  {
    title: 'State',
    minWidth: 120,
    cell: ({ state, problem }) => (
      <span className={styles['state']}>
        <Status {...providerStates[state]} />
        {problem === null ? null : <span className={styles['problem']}>{problem}</span>}
      </span>
    ),
  },
  { title: 'Key', minWidth: 96, placeholderWidth: 120, cell: describeKey },
  {
    title: 'Models',
    numeric: true,
    placeholderWidth: 24,
    cell: ({ models }) => models.toLocaleString(),
  },
  {
    title: 'Response time',
    numeric: true,
    minor: true,
    placeholderWidth: 40,
    cell: ({ response_ms }) => (response_ms === null ? '–' : describeMilliseconds(Math.round(response_ms))),
  },
  {
    title: 'Checked',
    numeric: true,
    minor: true,
    placeholderWidth: 56,
    cell: ({ checked_at }) => <RelativeTime at={checked_at} />,
  },
  {
    title: 'Check now',
    numeric: true,
    quiet: true,
    placeholderWidth: 64,
    cell: (provider) => <ProbeButton provider={provider} size="compact-xs" />,
  },
]

interface ProviderTableProps {
  readonly providers: readonly Provider[] | undefined
  readonly openName: string | undefined
  readonly onOpen: (name: string) => void
}

/** The providers. A row opens the settings of one. */
function ProviderTable({ providers, openName, onOpen }: ProviderTableProps) {
  return (
    <Table
      label="Providers"
      columns={columns}
      rows={providers}
      rowKey={({ name }) => name}
      placeholderRows={4}
      onOpen={({ name }) => onOpen(name)}
      isOpen={({ name }) => name === openName}
    />
  )
}
