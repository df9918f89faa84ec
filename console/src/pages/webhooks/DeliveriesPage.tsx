import { Button, NativeSelect } from '@mantine/core'
import '../../theme/mantine-form.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { Page } from '../../parts/Page.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { Surface } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, rowsOf, Table } from '../../parts/Table.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { notify } from '../../shell/notify.ts'
import { apiReferencePath } from '../../shell/pages.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import styles from './DeliveriesPage.module.css'
import { type DeliverySearch, readDeliverySearch } from './delivery-search.ts'
import {
  deliveryStates,
  describeAnswer,
  describeDelivery,
  describeSeconds,
  stateTitles,
} from './delivery-words.ts'
import { FirstWebhook, WebhookChoice } from './WebhookChoice.tsx'
import { type Delivery, deliveriesQuery, pathOf, webhookQuery } from './webhook-calls.ts'
import type { WebhookApi } from './webhook-search.ts'
import { momentOf } from './webhook-words.ts'

const DeliveryDrawer = lazyPart(() => import('./DeliveryDrawer.tsx'))
const route = getRouteApi('/webhooks/deliveries')

const choices = [
  { value: '', label: 'All deliveries' },
  ...deliveryStates.map((state) => ({ value: state, label: stateTitles[state] })),
]

/** The deliveries of one webhook, newest first. Without one in the address, the first webhook is opened. */
export function DeliveriesPage() {
  // Invalid search parameters stay in the URL and are dropped here.
  const { webhook: id, ...search } = readDeliverySearch({ ...route.useSearch() })
  return id === undefined ? <FirstWebhook /> : <DeliveriesOf id={id} search={search} />
}

interface DeliveriesOfProps {
  readonly id: string
  readonly search: Omit<DeliverySearch, 'webhook'>
}

function DeliveriesOf({ id, search }: DeliveriesOfProps) {
  const { api: kind = 'workflows', state, page = 1, as_of: asOf, delivery: openId } = search
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const api = useApi()
  const { data: webhook } = useQuery(webhookQuery(api, { kind, id }))
  const { data, failure, refetch } = useApiQuery(deliveriesQuery(api, { kind, id, state, page, asOf }))
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
          To <span className={styles['address']}>{webhook?.webhook_url ?? 'a webhook'}</span>, newest first.{' '}
          <Link to="/webhooks" search={{ webhook: id, ...(kind === 'orchestra' ? { api: kind } : {}) }}>
            Webhook settings
          </Link>
        </>
      }
      aside={<RedeliverAll kind={kind} id={id} onDone={refresh} />}
    >
      <ListTools count={countText(data?.total)}>
        <WebhookChoice kind={kind} id={id} />
        <NativeSelect
          data-filter
          size="sm"
          aria-label="Delivery state"
          data={choices}
          value={state ?? ''}
          onChange={({ currentTarget }) => filterBy(currentTarget.value)}
        />
      </ListTools>
      {data === undefined && failure !== null ? (
        <FailureNotice
          what="The deliveries could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <>
          <Surface>
            <DeliveryTable
              deliveries={rowsOf(data && { data: data.deliveries, total: data.total })}
              total={data?.total}
              openId={openId}
              isFiltered={state !== undefined}
              onOpen={open}
              onClear={() => filterBy('')}
              onRefresh={() => void refetch()}
            />
          </Surface>
          <Pager
            order="newest first"
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

interface RedeliverAllProps {
  readonly kind: WebhookApi
  readonly id: string
  readonly onDone: () => Promise<void>
}

/** Redelivers all failed deliveries. */
function RedeliverAll({ kind, id, onDone }: RedeliverAllProps) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setAsking(true)}>
        Redeliver failed…
      </Button>
      {asking ? (
        <ConfirmDialog
          title="Redeliver all failed deliveries?"
          confirmLabel="Redeliver"
          failureSentence="Nothing was redelivered."
          send={({ client }) =>
            bodyOf(
              client.POST(pathOf(kind, '/{id}/redeliver'), {
                params: { path: { id } },
                body: { state: 'dead' },
              }),
            )
          }
          onDone={async ({ redelivered, more }) => {
            await onDone()
            await notify({
              title:
                redelivered === 1
                  ? '1 delivery is queued again'
                  : `${redelivered.toLocaleString()} deliveries are queued again`,
              ...(more ? { message: 'More failed deliveries remain: redeliver again after these.' } : {}),
            })
          }}
          onClose={() => setAsking(false)}
        >
          <p>Up to 10,000 deliveries, oldest first, each with its original ID.</p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}

const columns: ReadonlyArray<Column<Delivery>> = [
  { title: 'Event', value: ({ event }) => event, placeholderWidth: 160, cell: ({ event }) => event },
  {
    title: 'State',
    value: (delivery) => describeDelivery(delivery).word,
    minWidth: 112,
    placeholderWidth: 80,
    cell: (delivery) => <Status {...describeDelivery(delivery)} />,
  },
  {
    title: 'Response',
    value: (delivery) => describeAnswer(delivery) ?? null,
    placeholderWidth: 72,
    cell: (delivery) => describeAnswer(delivery) ?? '–',
  },
  {
    title: 'Attempts',
    value: ({ attempts }) => attempts,
    numeric: true,
    minor: true,
    placeholderWidth: 24,
    cell: ({ attempts }) => attempts,
  },
  {
    title: 'Duration',
    value: ({ last_attempt: attempt }) => attempt?.duration ?? null,
    numeric: true,
    minor: true,
    placeholderWidth: 40,
    cell: ({ last_attempt: attempt }) =>
      attempt === null || attempt.duration === null ? '–' : describeSeconds(attempt.duration),
  },
  {
    title: 'Time',
    value: ({ timestamp }) => timestamp,
    numeric: true,
    placeholderWidth: 56,
    cell: ({ timestamp }) => <RelativeTime at={momentOf(timestamp)} />,
  },
]

interface DeliveryTableProps {
  /** The number of rows on all pages. */
  readonly total: number | undefined
  readonly deliveries: readonly Delivery[] | undefined
  readonly openId: string | undefined
  readonly isFiltered: boolean
  readonly onOpen: (id: string) => void
  readonly onClear: () => void
  readonly onRefresh: () => void
}

function DeliveryTable(props: DeliveryTableProps) {
  const { deliveries, total, openId, isFiltered, onOpen, onClear, onRefresh } = props
  if (deliveries?.length === 0) {
    return (
      <EmptyState
        sentence={
          isFiltered
            ? 'No deliveries match.'
            : 'No deliveries yet. They appear here when a subscribed event occurs.'
        }
        action={
          <Button size="compact-sm" variant="default" onClick={isFiltered ? onClear : onRefresh}>
            {isFiltered ? 'Show all deliveries' : 'Check again'}
          </Button>
        }
        link={<a href={apiReferencePath}>Read deliveries through the API</a>}
      />
    )
  }
  return (
    <Table
      label="Deliveries"
      name="main"
      columns={columns}
      rows={deliveries}
      total={total}
      rowKey={({ delivery_id }) => delivery_id}
      placeholderRows={8}
      onOpen={({ delivery_id }) => onOpen(delivery_id)}
      isOpen={({ delivery_id }) => delivery_id === openId}
    />
  )
}
