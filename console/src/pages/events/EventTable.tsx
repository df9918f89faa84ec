import { Button } from '@mantine/core'
import { useState } from 'react'
import type { PlatformEvent } from '../../api/responses.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { type Column, newestFirst, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { EventSentence } from './EventSentence.tsx'

const columns: ReadonlyArray<Column<PlatformEvent>> = [
  {
    title: 'Time',
    fixedOrder: newestFirst,
    minWidth: 96,
    placeholderWidth: 56,
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
  { title: 'Event', minWidth: 420, placeholderWidth: 320, cell: (event) => <EventSentence event={event} /> },
]

interface EventTableProps {
  readonly events: readonly PlatformEvent[] | undefined
  readonly openId: number | undefined
  /** The filter in words; undefined without one. */
  readonly filter: string | undefined
  readonly onOpen: (id: number) => void
  readonly onClearFilter: () => void
  readonly onRefresh: () => void
}

/** The event log, newest first. A row opens the details of its event. */
export function EventTable({ events, openId, filter, onOpen, onClearFilter, onRefresh }: EventTableProps) {
  const isFresh = useArrivals(events)
  if (events?.length === 0) {
    return (
      <EmptyState
        sentence={filter === undefined ? 'No events yet.' : `No events of ${filter} yet.`}
        action={
          <Button
            size="compact-sm"
            variant="default"
            onClick={filter === undefined ? onRefresh : onClearFilter}
          >
            {filter === undefined ? 'Check again' : 'Show all events'}
          </Button>
        }
        link={<a href={apiReferencePath}>Read events through the API</a>}
      />
    )
  }
  return (
    <Table
      label="Events"
      hasFilter={false}
      columns={columns}
      rows={events}
      rowKey={({ id }) => id}
      placeholderRows={12}
      onOpen={({ id }) => onOpen(id)}
      isOpen={({ id }) => id === openId}
      isFresh={({ id }) => isFresh(id)}
    />
  )
}

/** Distinguishes events that arrived after the list was opened. */
function useArrivals(events: readonly PlatformEvent[] | undefined): (id: number) => boolean {
  const [openedWith, setOpenedWith] = useState<number>()
  if (openedWith === undefined && events !== undefined) setOpenedWith(events[0]?.id ?? 0)
  return (id) => openedWith !== undefined && id > openedWith
}
