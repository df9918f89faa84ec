import { Button, SegmentedControl } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { Page } from '../../parts/Page.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { Surface } from '../../parts/Section.tsx'
import { type Column, rowsOf, Table } from '../../parts/Table.tsx'
import type { NewWebhookSecret } from './NewWebhook.tsx'
import { type Webhook, webhooksQuery } from './webhook-calls.ts'
import { readWebhookSearch, type WebhookApi, type WebhookSearch } from './webhook-search.ts'
import '../../theme/mantine-form.css'
import { EmptyState } from '../../parts/EmptyState.tsx'
import choiceStyles from '../../parts/OwnerChoice.module.css'
import { RowAction } from '../../parts/RowAction.tsx'
import { Status } from '../../parts/Status.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import styles from './WebhooksPage.module.css'
import { describeLastResult, describeWebhook, momentOf } from './webhook-words.ts'

const CreateWebhook = lazyPart(() =>
  import('./NewWebhook.tsx').then(({ CreateWebhook: it }) => ({ default: it })),
)
const NewWebhook = lazyPart(() => import('./NewWebhook.tsx'))
const WebhookDrawer = lazyPart(() => import('./WebhookDrawer.tsx'))
const WebhookTestDrawer = lazyPart(() => import('./WebhookTest.tsx'))
const route = getRouteApi('/webhooks')

/** The list of webhooks with their states. */
export function WebhooksPage() {
  // Invalid search parameters stay in the URL and are dropped here.
  const search = readWebhookSearch({ ...route.useSearch() })
  const { api: kind = 'workflows', page = 1, webhook: openId, create } = search
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const { data, failure, refetch } = useApiQuery(webhooksQuery(useApi(), { kind, page }))
  const [secret, setSecret] = useState<NewWebhookSecret>()
  const [tested, setTested] = useState<Webhook>()

  const refresh = () => cache.invalidateQueries({ queryKey: ['webhooks'] })
  const openCreate = () => void navigate({ search: (now) => ({ ...withoutDialog(now), create: true }) })
  const close = () => void navigate({ search: withoutDialog, resetScroll: false })
  const open = (id: string) =>
    void navigate({ search: (now) => ({ ...withoutDialog(now), webhook: id }), resetScroll: false })

  return (
    <Page
      title="Webhooks"
      lead="Send events to your own systems: signed, in order and retried until delivered."
      aside={
        <Button size="compact-sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={openCreate}>
          Add webhook
        </Button>
      }
    >
      <ListTools count={countText(data?.total)}>
        <ApiChoice
          kind={kind}
          onChange={(wanted) =>
            void navigate({ search: wanted === 'orchestra' ? { api: 'orchestra' } : {}, replace: true })
          }
        />
      </ListTools>
      {data === undefined && failure !== null ? (
        <FailureNotice
          what="The webhooks could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <>
          <Surface>
            <WebhookTable
              webhooks={rowsOf(data && { data: data.webhooks, total: data.total })}
              total={data?.total}
              openId={openId}
              onCreate={openCreate}
              onOpen={open}
              onTest={setTested}
            />
          </Surface>
          <Pager
            order="oldest first"
            page={page}
            total={data?.total}
            onPage={(wanted, { replace }) =>
              void navigate({ search: (now) => ({ ...now, page: wanted }), replace })
            }
          />
        </>
      )}
      <Suspense>
        {create === true ? (
          <CreateWebhook
            key={kind}
            kind={kind}
            onClose={close}
            onCreated={async (made) => {
              await refresh()
              close()
              setSecret(made)
            }}
          />
        ) : null}
        {openId === undefined ? null : (
          <WebhookDrawer
            key={openId}
            kind={kind}
            id={openId}
            listed={data?.webhooks.find(({ webhook_id }) => webhook_id === openId)}
            onChanged={refresh}
            onSecret={setSecret}
            onClose={close}
          />
        )}
        {tested === undefined ? null : (
          <WebhookTestDrawer kind={kind} webhook={tested} onClose={() => setTested(undefined)} />
        )}
        {secret === undefined ? null : <NewWebhook made={secret} onDone={() => setSecret(undefined)} />}
      </Suspense>
    </Page>
  )
}

function withoutDialog(search: WebhookSearch): WebhookSearch {
  const { create: _create, webhook: _webhook, ...list } = search
  return list
}

function countText(total: number | undefined): string | undefined {
  if (total === undefined) return undefined
  return total === 1 ? '1 webhook' : `${total.toLocaleString()} webhooks`
}

interface ApiChoiceProps {
  readonly kind: WebhookApi
  readonly onChange: (kind: WebhookApi) => void
}

/** The choice of the API whose events are sent. */
function ApiChoice({ kind, onChange }: ApiChoiceProps) {
  return (
    <SegmentedControl
      className={choiceStyles['choice'] ?? ''}
      size="xs"
      aria-label="Event source"
      value={kind}
      onChange={(value) => onChange(value === 'orchestra' ? 'orchestra' : 'workflows')}
      data={[
        { value: 'workflows', label: 'Workflows events' },
        { value: 'orchestra', label: 'Orchestra events' },
      ]}
    />
  )
}

const columnsWith = (onTest: (webhook: Webhook) => void): ReadonlyArray<Column<Webhook>> => [
  {
    title: 'Name',
    value: ({ name, webhook_url: url }) => name ?? url,
    text: ({ name, webhook_url: url }) => `${name ?? ''} ${url}`,
    placeholderWidth: 220,
    cell: ({ name, webhook_url }) => (
      <>
        {name === null ? null : <span className={styles['name']}>{name}</span>}
        <span className={styles['address']}>{webhook_url}</span>
      </>
    ),
  },
  {
    title: 'State',
    value: (webhook) => describeWebhook(webhook).word,
    minWidth: 96,
    placeholderWidth: 72,
    cell: (webhook) => {
      const { tone, word, about } = describeWebhook(webhook)
      return <Status tone={tone} word={word} title={about} />
    },
  },
  {
    title: 'Last result',
    value: ({ last_delivery: delivery }) => delivery?.attempted_at ?? null,
    minWidth: 112,
    placeholderWidth: 96,
    cell: ({ last_delivery: delivery }) =>
      delivery === null ? (
        '–'
      ) : (
        <>
          <Status {...describeLastResult(delivery)} /> <RelativeTime at={momentOf(delivery.attempted_at)} />
        </>
      ),
  },
  {
    title: 'Events',
    value: ({ events_subscribed: events }) => events.join(', '),
    placeholderWidth: 120,
    cell: ({ events_subscribed: events }) => (
      <span title={events.join(', ')}>{events.length === 1 ? events[0] : `${events.length} types`}</span>
    ),
  },
  {
    title: 'Added',
    value: ({ created_at: at }) => at,
    numeric: true,
    minor: true,
    placeholderWidth: 56,
    cell: ({ created_at }) => <RelativeTime at={momentOf(created_at)} />,
  },
  {
    title: 'Action',
    quiet: true,
    cell: (webhook) =>
      webhook.status === 'active' ? (
        <RowAction
          label="Send test"
          name={`event to ${webhook.name ?? webhook.webhook_url}`}
          onClick={() => onTest(webhook)}
        />
      ) : null,
  },
]

interface WebhookTableProps {
  /** The number of rows on all pages. */
  readonly total: number | undefined
  readonly webhooks: readonly Webhook[] | undefined
  readonly openId: string | undefined
  readonly onCreate: () => void
  readonly onOpen: (id: string) => void
  readonly onTest: (webhook: Webhook) => void
}

function WebhookTable({ webhooks, total, openId, onCreate, onOpen, onTest }: WebhookTableProps) {
  const columns = useMemo(() => columnsWith(onTest), [onTest])
  if (webhooks?.length === 0) {
    return (
      <EmptyState
        sentence="No webhooks yet. Add one to send events to your own systems: signed, in order and retried until delivered."
        action={
          <Button size="compact-sm" variant="default" onClick={onCreate}>
            Add your first webhook
          </Button>
        }
        link={<a href={apiReferencePath}>About signatures</a>}
      />
    )
  }
  return (
    <Table
      label="Webhooks"
      name="main"
      columns={columns}
      rows={webhooks}
      total={total}
      rowKey={({ webhook_id }) => webhook_id}
      onOpen={({ webhook_id }) => onOpen(webhook_id)}
      isOpen={({ webhook_id }) => webhook_id === openId}
    />
  )
}
