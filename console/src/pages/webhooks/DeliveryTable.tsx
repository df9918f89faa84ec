import { Button } from '@mantine/core'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeAnswer, describeDelivery, describeSeconds } from './delivery-words.ts'
import type { Delivery } from './webhook-calls.ts'
import { momentOf } from './webhook-times.ts'

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

export function DeliveryTable(props: DeliveryTableProps) {
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
