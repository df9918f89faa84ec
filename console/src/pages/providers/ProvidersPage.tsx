import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useApi } from '../../api/api-context.ts'
import { pageSize } from '../../api/read-all.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { describePrice } from '../../parts/describe-amount.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { SearchField } from '../../parts/SearchField.tsx'
import { Section } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, columnIds, sortByColumn, Table } from '../../parts/Table.tsx'
import { useTableState } from '../../parts/use-table-state.ts'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeMilliseconds } from '../cluster/node-words.ts'
import { priceSources } from '../playground/model-words.ts'
import { modelsQuery } from '../playground/models-query.ts'
import { Limits } from './Limits.tsx'
import { limitKeyOf } from './limit-rows.ts'
import { ProbeButton } from './ProbeButton.tsx'
import styles from './ProvidersPage.module.css'
import { listPrices, narrow, type PriceRow, rowKeyOf } from './price-rows.ts'
import { limitsQuery, type Provider, pricesQuery, providersQuery } from './provider-queries.ts'
import type { ProviderSearch } from './provider-search.ts'
import { describeKey, describeProvider, providerStates } from './provider-words.ts'

const ProviderDrawer = lazyPart(() => import('./ProviderDrawer.tsx'))
const AddProvider = lazyPart(() => import('./AddProvider.tsx'))
const PriceDrawer = lazyPart(() => import('./PriceDrawer.tsx'))
const LimitDrawer = lazyPart(() => import('./LimitDrawer.tsx'))
const route = getRouteApi('/providers')

/** Providers, their keys, limits and prices. */
export function ProvidersPage() {
  const api = useApi()
  const { provider: openName, search, page = 1, price: openKey, create, add, ...shown } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: providers, failure, refetch } = useApiQuery(providersQuery(api))
  const { data: models } = useQuery(modelsQuery(api))
  const { data: limits } = useQuery(limitsQuery(api))
  const { data: prices } = useQuery(pricesQuery(api))
  const rows = models === undefined || prices === undefined ? undefined : listPrices(models, prices.data)

  const open = (dialog: Dialog) =>
    void navigate({ search: (now) => ({ ...withoutDialog(now), ...dialog }), resetScroll: false })
  const close = () => open({})
  const opened = rows?.find(({ key }) => key === openKey)
  const openedLimit = limits?.find((limit) => limitKeyOf(limit) === shown.limit)

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
        <Section
          title="Providers"
          note={countText(providers)}
          aside={
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => open({ add: true })}
            >
              Add provider
            </Button>
          }
        >
          <ProviderTable
            providers={providers}
            openName={openName}
            onOpen={(name) => open({ provider: name })}
          />
        </Section>
      )}
      <Limits
        page={shown.limitPage ?? 1}
        openKey={shown.limit}
        onPage={(wanted, { replace }) =>
          void navigate({ search: (now) => ({ ...now, limitPage: wanted }), replace, resetScroll: false })
        }
        onOpen={(key) => open({ limit: key })}
        onCreate={() => open({ setLimit: true })}
      />
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
        {openedLimit === undefined ? null : (
          <LimitDrawer key={limitKeyOf(openedLimit)} limit={openedLimit} onClose={close} />
        )}
        {shown.setLimit === true ? <LimitDrawer limit={undefined} onClose={close} /> : null}
        {add === true ? <AddProvider onClose={close} /> : null}
      </Suspense>
    </Page>
  )
}

type Dialog = Pick<ProviderSearch, 'provider' | 'price' | 'create' | 'limit' | 'setLimit' | 'add'>

/** The address without an open drawer. */
function withoutDialog({ search, page, limitPage }: ProviderSearch): ProviderSearch {
  return {
    ...(search === undefined ? {} : { search }),
    ...(page === undefined ? {} : { page }),
    ...(limitPage === undefined ? {} : { limitPage }),
  }
}

function countText(providers: readonly Provider[] | undefined): string | undefined {
  if (providers === undefined) return undefined
  return `${providers.filter(({ state }) => state === 'online').length} of ${providers.length} online`
}

const providerColumns: ReadonlyArray<Column<Provider>> = [
  {
    title: 'Provider',
    placeholderWidth: 80,
    value: ({ name }) => describeProvider(name),
    cell: ({ name }) => describeProvider(name),
  },
  {
    title: 'State',
    minWidth: 120,
    value: ({ state }) => providerStates[state].word,
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
    value: ({ models }) => models,
    placeholderWidth: 24,
    cell: ({ models }) => models.toLocaleString(),
  },
  {
    title: 'Response time',
    numeric: true,
    value: ({ response_ms }) => response_ms,
    minor: true,
    placeholderWidth: 40,
    cell: ({ response_ms }) => (response_ms === null ? '–' : describeMilliseconds(Math.round(response_ms))),
  },
  {
    title: 'Checked',
    numeric: true,
    value: ({ checked_at }) => checked_at,
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

/** The table of providers. A row opens the settings of its provider. */
function ProviderTable({ providers, openName, onOpen }: ProviderTableProps) {
  return (
    <Table
      label="Providers"
      name="providers"
      columns={providerColumns}
      rows={providers}
      rowKey={({ name }) => name}
      placeholderRows={4}
      onOpen={({ name }) => onOpen(name)}
      isOpen={({ name }) => name === openName}
    />
  )
}

const amount = (
  title: string,
  valueOf: (row: PriceRow) => number | null,
  minor = false,
): Column<PriceRow> => ({
  title,
  value: valueOf,
  numeric: true,
  minor,
  placeholderWidth: 48,
  cell: (row) => {
    const value = valueOf(row)
    return value === null ? '–' : describePrice(value)
  },
})

const priceColumns: ReadonlyArray<Column<PriceRow>> = [
  { title: 'Model', value: ({ model }) => model, placeholderWidth: 140, cell: ({ model }) => model },
  {
    title: 'Provider',
    value: ({ provider }) => describeProvider(provider),
    minWidth: 64,
    placeholderWidth: 56,
    cell: ({ provider }) => describeProvider(provider),
  },
  {
    title: 'Source',
    value: ({ source }) => priceSources[source],
    minWidth: 88,
    placeholderWidth: 72,
    cell: ({ source, isListed }) => (
      <span className={styles['source']} data-source={source}>
        {priceSources[source]}
        {isListed ? null : <span className={styles['absent']}>not available</span>}
      </span>
    ),
  },
  amount('Input', ({ input }) => input),
  amount('Cached input', ({ cachedInput }) => cachedInput, true),
  amount('Output', ({ output }) => output),
]

interface PricesProps {
  /** Undefined while loading. */
  readonly rows: readonly PriceRow[] | undefined
  readonly tableVersion: string | undefined
  readonly search: string | undefined
  readonly page: number
  readonly openKey: string | undefined
  readonly onSearch: (text: string | undefined) => void
  readonly onPage: (page: number, options: { replace: boolean }) => void
  readonly onOpen: (key: string) => void
  readonly onCreate: () => void
}

/** The price of every model, with its source. */
function Prices(props: PricesProps) {
  const { rows, tableVersion, search, page, openKey, onSearch, onPage, onOpen, onCreate } = props
  const { sort, onSort } = useTableState('prices', columnIds(priceColumns))
  const found = rows === undefined ? undefined : sortByColumn(narrow(rows, search), priceColumns, sort)
  return (
    <>
      <Section
        title="Prices"
        note={`dollars per million tokens${tableVersion === undefined ? '' : `; price table ${tableVersion}`}`}
        aside={
          <>
            <SearchField label="Search models" text={search} onChange={onSearch} />
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={onCreate}
            >
              Set price
            </Button>
          </>
        }
      >
        {found?.length === 0 ? (
          <EmptyState
            sentence={`No models match “${search}”.`}
            action={
              <Button size="compact-sm" variant="default" onClick={() => onSearch(undefined)}>
                Show all models
              </Button>
            }
            link={<a href={apiReferencePath}>Set prices through the API</a>}
          />
        ) : (
          <Table
            label="Prices"
            columns={priceColumns}
            rows={found?.slice((page - 1) * pageSize, page * pageSize)}
            sort={sort}
            onSort={onSort}
            hasFilter={false}
            rowKey={({ key }) => rowKeyOf(key)}
            placeholderRows={4}
            onOpen={({ key }) => onOpen(key)}
            isOpen={({ key }) => key === openKey}
          />
        )}
      </Section>
      <Pager page={page} total={found?.length} onPage={onPage} />
    </>
  )
}
