import '../../../theme/mantine-form.css'
import { Button, NativeSelect } from '@mantine/core'
import { useDocumentVisibility } from '@mantine/hooks'
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import type { ApiFailure } from '../../../api/api-failure.ts'
import { followStream, type StreamState } from '../../../api/follow-stream.ts'
import type { ServerSentEvent } from '../../../api/read-server-sent-events.ts'
import { EmptyState } from '../../../parts/EmptyState.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { ListTools } from '../../../parts/ListTools.tsx'
import { Surface } from '../../../parts/Section.tsx'
import { Status } from '../../../parts/Status.tsx'
import { StreamStatus } from '../../../parts/StreamStatus.tsx'
import { SummaryStrip } from '../../../parts/SummaryStrip.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { lazyPart } from '../../../shell/loading/lazy-part.tsx'
import { apiReferencePath } from '../../../shell/pages.ts'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import { describeKind, describeMore, describeWhom, type LiveEvent, liveKinds } from './live-words.ts'

const LiveDrawer = lazyPart(() => import('./LiveDrawer.tsx'))

const choices = [
  { value: '', label: 'All events' },
  ...Object.entries(liveKinds).map(([value, { title }]) => ({ value, label: title })),
]

/** The number of events after the last one seen; events are ordered newest first. */
function newerThan(last: LiveEvent | undefined, events: readonly LiveEvent[]): number {
  const place = events.findIndex(({ id }) => id === last?.id)
  return place === -1 ? events.length : place
}

interface LiveViewProps {
  /** Only events of this type. */
  readonly kind: string | undefined
  readonly onKind: (kind: string | undefined) => void
}

/** Workflow events in real time, and the load of the platform. */
export default function LiveView({ kind, onKind }: LiveViewProps) {
  const { events, load, streamState, refusal } = useLiveStream()
  const [held, setHeld] = useState<readonly LiveEvent[]>()
  const [opened, setOpened] = useState<LiveEvent>()
  const shown = (held ?? events).filter((event) => kind === undefined || event.kind === kind)
  const isPaused = held !== undefined
  const missed = isPaused ? newerThan(held[0], events) : 0

  return (
    <>
      {refusal === null ? null : (
        <FailureNotice
          what="The event stream is not available."
          error={refusal}
          onRetry={() => window.location.reload()}
        />
      )}
      <LiveSummary load={load} />
      <ListTools count={shown.length === 1 ? '1 event' : `${shown.length} events`}>
        <NativeSelect
          data-filter
          size="sm"
          aria-label="Event type"
          data={choices}
          value={kind ?? ''}
          onChange={({ currentTarget }) => onKind(currentTarget.value)}
        />
        <Button
          flex="none"
          size="compact-sm"
          variant="default"
          leftSection={
            isPaused ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />
          }
          onClick={() => setHeld(isPaused ? undefined : events)}
        >
          {isPaused ? (missed === 0 ? 'Resume' : `Resume: ${missed} new`) : 'Pause'}
        </Button>
        <StreamStatus state={isPaused ? 'paused' : streamState} />
      </ListTools>
      <Surface>
        <LiveTable
          events={shown}
          openId={opened?.id}
          isFiltered={kind !== undefined}
          onOpen={(id) => setOpened(shown.find((event) => event.id === id))}
          onClear={() => onKind(undefined)}
        />
      </Surface>
      <Suspense>
        {opened === undefined ? null : <LiveDrawer event={opened} onClose={() => setOpened(undefined)} />}
      </Suspense>
    </>
  )
}

/** The summary of the platform's load. */
function LiveSummary({ load }: { load: LoadNow | undefined }) {
  const cells = [
    { name: 'Running', value: load?.active_workflows.toLocaleString(), note: null },
    { name: 'Queued', value: load?.queue_size.toLocaleString(), note: null },
    { name: 'System load', value: load && describeLoad(load.system_load), note: null },
  ]
  return <SummaryStrip cells={cells} isLoading={load === undefined} />
}

function describeLoad(load: number | null): string {
  return load === null ? 'unknown' : `${Math.round(load)} %`
}

const columns: ReadonlyArray<Column<LiveEvent>> = [
  {
    title: 'Event',
    minWidth: 120,
    value: (event) => describeKind(event).title,
    cell: (event) => {
      const { tone, title } = describeKind(event)
      return <Status tone={tone} word={title} />
    },
  },
  { title: 'Subject', value: describeWhom, cell: describeWhom },
  {
    title: 'Details',
    value: (event) => describeMore(event) || null,
    cell: (event) => describeMore(event) || '–',
  },
  {
    title: 'Time',
    value: ({ at }) => at,
    numeric: true,
    minWidth: 72,
    cell: ({ at }) => <RelativeTime at={at} />,
  },
]

interface LiveTableProps {
  readonly events: readonly LiveEvent[]
  readonly openId: string | undefined
  readonly isFiltered: boolean
  readonly onOpen: (id: string) => void
  readonly onClear: () => void
}

function LiveTable({ events, openId, isFiltered, onOpen, onClear }: LiveTableProps) {
  if (events.length === 0) {
    return (
      <EmptyState
        sentence={
          isFiltered
            ? 'No events of this type since you opened the page.'
            : 'No events since you opened the page. Run a workflow to see its events here.'
        }
        action={
          isFiltered ? (
            <Button size="compact-sm" variant="default" onClick={onClear}>
              Show all events
            </Button>
          ) : null
        }
        link={<a href={apiReferencePath}>Read the stream through the API</a>}
      />
    )
  }
  return (
    <Table
      label="Events"
      columns={columns}
      rows={events}
      rowKey={({ id }) => id}
      onOpen={({ id }) => onOpen(id)}
      isOpen={({ id }) => id === openId}
      isFresh={() => true}
    />
  )
}

/** The load of the platform. */
interface LoadNow {
  readonly active_workflows: number
  readonly queue_size: number
  readonly system_load: number | null
}

/** The number of events kept; the list of executions has older ones. */
const maxEvents = 500

/** Follows the event stream while the page is visible, without gaps. */
function useLiveStream() {
  const api = useApi()
  const [events, setEvents] = useState<readonly LiveEvent[]>([])
  const [load, setLoad] = useState<LoadNow>()
  const [streamState, setStreamState] = useState<StreamState>('connecting')
  const [refusal, setRefusal] = useState<ApiFailure | null>(null)
  const lastId = useRef<string>(undefined)
  const isVisible = useDocumentVisibility() === 'visible'

  useEffect(() => {
    if (!isVisible) return undefined
    const stop = new AbortController()
    void followStream({
      send: api.send,
      address: new URL('/ai-orchestra/api/live-stream', window.location.origin),
      after: lastId.current,
      signal: stop.signal,
      onRefused: (failure) => {
        setRefusal(failure)
        return 'ask again'
      },
      onState: (state) => {
        setStreamState(state)
        if (state === 'live') setRefusal(null)
      },
      onMessage: (message) => {
        lastId.current = message.id
        const data = dataOf(message)
        if (message.event === 'status_update') return setLoad(data as unknown as LoadNow)
        const event = { id: message.id, kind: message.event, at: momentOf(data), data }
        setEvents((before) => [event, ...before].slice(0, maxEvents))
      },
    })
    return () => stop.abort()
  }, [api, isVisible])

  return { events, load, streamState, refusal }
}

/** The time of the event itself: an event replayed after a reconnect must not look new. */
function momentOf({ timestamp }: LiveEvent['data']): string {
  return new Date(typeof timestamp === 'number' ? timestamp * 1000 : Date.now()).toISOString()
}

function dataOf({ data }: ServerSentEvent): LiveEvent['data'] {
  try {
    return JSON.parse(data) as LiveEvent['data']
  } catch {
    return {}
  }
}
