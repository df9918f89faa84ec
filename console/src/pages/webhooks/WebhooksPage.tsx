import { Button, SegmentedControl } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
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
import styles from '../../parts/OwnerChoice.module.css'
import { Status } from '../../parts/Status.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeWebhook, momentOf } from './webhook-words.ts'

const CreateWebhook = lazyPart(() =>
  import('./NewWebhook.tsx').then(({ CreateWebhook: it }) => ({ default: it })),
)
const NewWebhook = lazyPart(() => import('./NewWebhook.tsx'))
const WebhookDrawer = lazyPart(() => import('./WebhookDrawer.tsx'))
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
        <Button size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={openCreate}>
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
              openId={openId}
              onCreate={openCreate}
              onOpen={open}
            />
          </Surface>
          <Pager
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
      className={styles['choice'] ?? ''}
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

const columns: ReadonlyArray<Column<Webhook>> = [
  { title: 'URL', placeholderWidth: 220, cell: ({ webhook_url }) => webhook_url },
  {
    title: 'State',
    minWidth: 96,
    placeholderWidth: 72,
    cell: (webhook) => {
      const { tone, word, about } = describeWebhook(webhook)
      return <Status tone={tone} word={word} title={about} />
    },
  },
  {
    title: 'Events',
    placeholderWidth: 120,
    cell: ({ events_subscribed: events }) => (
      <span title={events.join(', ')}>{events.length === 1 ? events[0] : `${events.length} types`}</span>
    ),
  },
  {
    title: 'Added',
    numeric: true,
    minor: true,
    placeholderWidth: 56,
    cell: ({ created_at }) => <RelativeTime at={momentOf(created_at)} />,
  },
]

interface WebhookTableProps {
  readonly webhooks: readonly Webhook[] | undefined
  readonly openId: string | undefined
  readonly onCreate: () => void
  readonly onOpen: (id: string) => void
}

function WebhookTable({ webhooks, openId, onCreate, onOpen }: WebhookTableProps) {
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
      columns={columns}
      rows={webhooks}
      rowKey={({ webhook_id }) => webhook_id}
      onOpen={({ webhook_id }) => onOpen(webhook_id)}
      isOpen={({ webhook_id }) => webhook_id === openId}
    />
  )
}
