import '../../theme/mantine-modal.css'
import { ActionIcon, Drawer } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useApi } from '../../api/api-context.ts'
import { eventQuery } from '../../api/queries.ts'
import type { PlatformEvent } from '../../api/responses.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { DetailList } from '../../parts/DetailList.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { JsonView } from '../../parts/JsonView.tsx'
import { useReturnFocus } from '../../parts/use-return-focus.ts'
import { findRow } from '../../parts/use-row-focus.ts'
import { describeMoment } from '../../time/describe-time.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import styles from './EventDrawer.module.css'
import { EventSentence } from './EventSentence.tsx'

interface EventDrawerProps {
  readonly id: number
  /** The list the drawer was opened from; buttons lead to the newer and the older event. */
  readonly events: readonly PlatformEvent[]
  readonly onOpen: (id: number | undefined) => void
}

/** All fields of one event. */
export default function EventDrawer({ id, events, onOpen }: EventDrawerProps) {
  useReturnFocus(() => findRow(id))
  const index = events.findIndex((event) => event.id === id)
  const listed = events[index]
  const {
    data: found,
    error,
    refetch,
  } = useQuery({ ...eventQuery(useApi(), id), enabled: listed === undefined })
  const event = listed ?? found
  return (
    <Drawer.Root opened onClose={() => onOpen(undefined)} position="right" size={520} classNames={styles}>
      <Drawer.Overlay />
      <Drawer.Content>
        <div className={styles['header']}>
          <Drawer.Title>{event?.type ?? `Event ${id}`}</Drawer.Title>
          <div className={styles['ways']}>
            <Neighbour label="Newer event" event={events[index - 1]} onOpen={onOpen}>
              <IconChevronUp size={16} aria-hidden />
            </Neighbour>
            <Neighbour label="Older event" event={index < 0 ? undefined : events[index + 1]} onOpen={onOpen}>
              <IconChevronDown size={16} aria-hidden />
            </Neighbour>
            <Drawer.CloseButton aria-label="Close" size={28} />
          </div>
        </div>
        <Drawer.Body>
          {error === null ? null : (
            <FailureNotice
              what="The event could not be loaded."
              error={error}
              onRetry={() => void refetch()}
            />
          )}
          {found === null && listed === undefined ? <p>The log has no event with the ID {id}.</p> : null}
          {event === undefined || event === null ? null : <EventDetails event={event} />}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}

function EventDetails({ event }: { event: PlatformEvent }) {
  const { id, subject, account, created_at, data } = event
  return (
    <>
      <p className={styles['sentence']}>
        <EventSentence event={event} />
      </p>
      <div className={styles['details']}>
        <DetailList
          details={[
            { name: 'ID', value: <Copyable text={String(id)} what="event ID" /> },
            { name: 'Subject', value: subject === null ? '–' : <Copyable text={subject} what="subject" /> },
            {
              name: 'Account',
              value: account === null ? '–' : <Copyable text={account} what="account ID" />,
            },
            { name: 'Time', value: <Moment at={created_at} /> },
          ]}
        />
      </div>
      <JsonView value={data} what="event data" />
    </>
  )
}

function Moment({ at }: { at: string }) {
  return (
    <span>
      {describeMoment(new Date(at))} (<RelativeTime at={at} />)
    </span>
  )
}

interface NeighbourProps {
  readonly label: string
  readonly event: PlatformEvent | undefined
  readonly onOpen: (id: number) => void
  readonly children: ReactNode
}

function Neighbour({ label, event, onOpen, children }: NeighbourProps) {
  return (
    <ActionIcon
      size={28}
      aria-label={label}
      title={label}
      disabled={event === undefined}
      onClick={() => {
        if (event !== undefined) onOpen(event.id)
      }}
    >
      {children}
    </ActionIcon>
  )
}
