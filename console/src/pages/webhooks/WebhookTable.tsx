import { Button } from '@mantine/core'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import type { Webhook } from './webhook-calls.ts'
import { momentOf } from './webhook-times.ts'
import { describeWebhook } from './webhook-words.ts'

const columns: ReadonlyArray<Column<Webhook>> = [
  { title: 'Address', placeholderWidth: 220, cell: ({ webhook_url }) => webhook_url },
  {
    title: 'State',
    room: 96,
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
      <span title={events.join(', ')}>{events.length === 1 ? events[0] : `${events.length} kinds`}</span>
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

export function WebhookTable({ webhooks, openId, onCreate, onOpen }: WebhookTableProps) {
  if (webhooks?.length === 0) {
    return (
      <EmptyState
        sentence="Nobody is told yet. Add a webhook, and what happens here is sent to your own systems: signed, in order, and again until it arrives."
        action={
          <Button size="compact-sm" variant="default" onClick={onCreate}>
            Add your first webhook
          </Button>
        }
        link={<a href={apiReferencePath}>Read how deliveries are signed</a>}
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
