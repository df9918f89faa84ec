import { Button, NativeSelect } from '@mantine/core'
import '../../theme/mantine-form.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { Page } from '../../parts/Page.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { rowsOf } from '../../parts/rows-of.ts'
import { Surface } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
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
import { type Delivery, deliveriesQuery, pathOf, webhookQuery } from './webhook-calls.ts'
import type { WebhookApi } from './webhook-search.ts'
import { momentOf } from './webhook-times.ts'

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

interface RedeliverAllProps {
  readonly kind: WebhookApi
  readonly id: string
  readonly onDone: () => Promise<void>
}

/** Everything that was given up, once more. */
function RedeliverAll({ kind, id, onDone }: RedeliverAllProps) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button size="sm" variant="default" onClick={() => setAsking(true)}>
        Send again what was given up…
      </Button>
      {asking ? (
        <ConfirmDialog
          title="Send again everything that was given up?"
          confirmLabel="Send again"
          failureSentence="Nothing was sent again."
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
                  ? '1 delivery is on its way again'
                  : `${redelivered.toLocaleString()} deliveries are on their way again`,
              ...(more ? { message: 'There are more: send again once these are through.' } : {}),
            })
          }}
          onClose={() => setAsking(false)}
        >
          <p>Up to ten thousand deliveries, the oldest first, each with the id it had.</p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}

const columns: ReadonlyArray<Column<Delivery>> = [
  { title: 'Event', placeholderWidth: 160, cell: ({ event }) => event },
  {
    title: 'State',
    room: 112,
    placeholderWidth: 80,
    cell: (delivery) => <Status {...describeDelivery(delivery)} />,
  },
  { title: 'Answer', placeholderWidth: 72, cell: (delivery) => describeAnswer(delivery) ?? '–' },
  { title: 'Tries', numeric: true, minor: true, placeholderWidth: 24, cell: ({ attempts }) => attempts },
  {
    title: 'Took',
    numeric: true,
    minor: true,
    placeholderWidth: 40,
    cell: ({ last_attempt: attempt }) =>
      attempt === null || attempt.duration === null ? '–' : describeSeconds(attempt.duration),
  },
  {
    title: 'Happened',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ timestamp }) => <RelativeTime at={momentOf(timestamp)} />,
  },
]

interface DeliveryTableProps {
  readonly deliveries: readonly Delivery[] | undefined
  readonly openId: string | undefined
  readonly isFiltered: boolean
  readonly onOpen: (id: string) => void
  readonly onClear: () => void
  readonly onRefresh: () => void
}

function DeliveryTable(props: DeliveryTableProps) {
  const { deliveries, openId, isFiltered, onOpen, onClear, onRefresh } = props
  if (deliveries?.length === 0) {
    return (
      <EmptyState
        sentence={
          isFiltered
            ? 'There are no such deliveries.'
            : 'Nothing was sent yet. Deliveries appear here as soon as something happens that the webhook subscribed to.'
        }
        action={
          <Button size="compact-sm" variant="default" onClick={isFiltered ? onClear : onRefresh}>
            {isFiltered ? 'Show all deliveries' : 'Look again'}
          </Button>
        }
        link={<a href={apiReferencePath}>Read deliveries through the API</a>}
      />
    )
  }
  return (
    <Table
      label="Deliveries"
      columns={columns}
      rows={deliveries}
      rowKey={({ delivery_id }) => delivery_id}
      placeholderRows={8}
      onOpen={({ delivery_id }) => onOpen(delivery_id)}
      isOpen={({ delivery_id }) => delivery_id === openId}
    />
  )
}
