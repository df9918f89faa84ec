import { NativeSelect } from '@mantine/core'
import '../../theme/mantine-form.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { Page } from '../../parts/Page.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { rowsOf } from '../../parts/rows-of.ts'
import { Surface } from '../../parts/Section.tsx'
import styles from './DeliveriesPage.module.css'
import { DeliveryTable } from './DeliveryTable.tsx'
import { type DeliverySearch, readDeliverySearch } from './delivery-search.ts'
import { deliveryStates, stateTitles } from './delivery-words.ts'
import { RedeliverAll } from './RedeliverAll.tsx'
import { deliveriesQuery, webhookQuery } from './webhook-calls.ts'

const DeliveryDrawer = lazy(() => import('./DeliveryDrawer.tsx'))
const route = getRouteApi('/webhooks/deliveries')

const choices = [
  { value: '', label: 'All deliveries' },
  ...deliveryStates.map((state) => ({ value: state, label: stateTitles[state] })),
]

/** What was sent to one webhook, the newest first. */
export function DeliveriesPage() {
  // The address may say what makes no sense, and keeps it.
  const search = readDeliverySearch({ ...route.useSearch() })
  const { api: kind = 'workflows', webhook: id = '', state, page = 1, as_of: asOf, delivery: openId } = search
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const api = useApi()
  const { data: webhook } = useQuery(webhookQuery(api, { kind, id }))
  const { data, failure, refetch } = useAnswer(deliveriesQuery(api, { kind, id, state, page, asOf }))
  const refresh = () => cache.invalidateQueries({ queryKey: ['webhooks'] })

  const filterBy = (wanted: string) =>
    void navigate({ search: readDeliverySearch({ api: kind, webhook: id, state: wanted }), replace: true })
  const open = (wanted: string | undefined) =>
    void navigate({
      search: (now) => ({ ...withoutDelivery(now), ...(wanted === undefined ? {} : { delivery: wanted }) }),
      replace: openId !== undefined,
      resetScroll: false,
    })

  return (
    <Page
      title="Deliveries"
      lead={
        <>
          To <span className={styles['address']}>{webhook?.webhook_url ?? 'a webhook'}</span>, the newest
          first.{' '}
          <Link to="/webhooks" search={{ webhook: id, ...(kind === 'orchestra' ? { api: kind } : {}) }}>
            The webhook itself
          </Link>
        </>
      }
      aside={<RedeliverAll kind={kind} id={id} onDone={refresh} />}
    >
      <ListTools count={countText(data?.total)}>
        <NativeSelect
          data-filter
          size="sm"
          aria-label="State of deliveries"
          data={choices}
          value={state ?? ''}
          onChange={({ currentTarget }) => filterBy(currentTarget.value)}
        />
      </ListTools>
      {data === undefined && failure !== null ? (
        <FailureNotice
          what="The deliveries could not be read."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <>
          <Surface>
            <DeliveryTable
              deliveries={rowsOf(data && { data: data.deliveries, total: data.total })}
              openId={openId}
              isFiltered={state !== undefined}
              onOpen={open}
              onClear={() => filterBy('')}
              onRefresh={() => void refetch()}
            />
          </Surface>
          <Pager
            page={page}
            total={data?.total}
            onPage={(wanted, { replace }) =>
              void navigate({
                search: (now) => ({
                  ...now,
                  page: wanted,
                  ...(data === undefined || data.as_of === null ? {} : { as_of: data.as_of }),
                }),
                replace,
              })
            }
          />
        </>
      )}
      <Suspense>
        {openId === undefined ? null : (
          <DeliveryDrawer
            key={openId}
            kind={kind}
            id={id}
            delivery={openId}
            onChanged={refresh}
            onClose={() => open(undefined)}
          />
        )}
      </Suspense>
    </Page>
  )
}

function withoutDelivery(search: DeliverySearch): DeliverySearch {
  const { delivery: _, ...list } = search
  return list
}

function countText(total: number | undefined): string | undefined {
  if (total === undefined) return undefined
  return total === 1 ? '1 delivery' : `${total.toLocaleString()} deliveries`
}
