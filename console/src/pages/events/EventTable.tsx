import { Button } from '@mantine/core'
import { useState } from 'react'
import type { PlatformEvent } from '../../api/responses.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import styles from './EventTable.module.css'

const columns: ReadonlyArray<Column<PlatformEvent>> = [
  { title: 'Type', placeholderWidth: 132, cell: ({ type }) => type },
  {
    title: 'Subject',
    placeholderWidth: 180,
    cell: ({ subject }) =>
      subject === null ? <span className={styles['none']}>–</span> : <code>{subject}</code>,
  },
  {
    title: 'Time',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
  {
    title: 'ID',
    numeric: true,
    placeholderWidth: 40,
    cell: ({ id }) => <span className={styles['id']}>{id}</span>,
  },
]

interface EventTableProps {
  readonly events: readonly PlatformEvent[] | undefined
  readonly openId: number | undefined
  readonly type: string | undefined
  readonly onOpen: (id: number) => void
  readonly onClearFilter: () => void
  readonly onRefresh: () => void
}

/** The log, newest first. A row opens the whole event. */
export function EventTable({ events, openId, type, onOpen, onClearFilter, onRefresh }: EventTableProps) {
  const isFresh = useArrivals(events)
  if (events?.length === 0) {
    return (
      <EmptyState
        sentence={type === undefined ? 'No events yet.' : `No events of type ${type} yet.`}
        action={
          <Button
            size="compact-sm"
            variant="default"
            onClick={type === undefined ? onRefresh : onClearFilter}
          >
            {type === undefined ? 'Check again' : 'Show all types'}
          </Button>
        }
        link={<a href={apiReferencePath}>Read events through the API</a>}
      />
    )
  }
  return (
    <Table
      label="Events"
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

/** Tells the events that came while the list was open from those it opened with. */
function useArrivals(events: readonly PlatformEvent[] | undefined): (id: number) => boolean {
  const [openedWith, setOpenedWith] = useState<number>()
  if (openedWith === undefined && events !== undefined) setOpenedWith(events[0]?.id ?? 0)
  return (id) => openedWith !== undefined && id > openedWith
}
