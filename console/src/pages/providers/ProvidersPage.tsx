import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Section } from '../../parts/Section.tsx'
import { modelsQuery } from '../playground/models-query.ts'
import { Prices } from './Prices.tsx'
import { ProviderTable } from './ProviderTable.tsx'
import { listPrices } from './price-rows.ts'
import type { Provider } from './provider-bodies.ts'
import { pricesQuery, providersQuery } from './provider-queries.ts'
import type { ProviderSearch } from './provider-search.ts'

const ProviderDrawer = lazy(() => import('./ProviderDrawer.tsx'))
const PriceDrawer = lazy(() => import('./PriceDrawer.tsx'))
const route = getRouteApi('/providers')

/** Who provides models, the keys they want to see, and what everything costs. */
export function ProvidersPage() {
  const api = useApi()
  const { provider: openName, search, page = 1, price: openKey, create } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: providers, failure, refetch } = useAnswer(providersQuery(api))
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
      lead="Who answers with models, in the order in which they are asked: the cluster, the clouds you have a key for, and what is built in."
    >
      {providers === undefined && failure !== null ? (
        <FailureNotice
          what="The providers could not be read."
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
