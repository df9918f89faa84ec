import '../../theme/mantine-floating.css'
import '../../theme/mantine-form.css'
import { Autocomplete, Button, SegmentedControl } from '@mantine/core'
import { useDocumentVisibility, useWindowScroll } from '@mantine/hooks'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconFilter from '@tabler/icons-react/dist/esm/icons/IconFilter.mjs'
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { followEvents } from '../../api/follow-events.ts'
import type { StreamState } from '../../api/follow-stream.ts'
import { newestEventsQuery, readEvents } from '../../api/queries.ts'
import type { EventPage, PlatformEvent } from '../../api/responses.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Surface } from '../../parts/Section.tsx'
import { StreamStatus } from '../../parts/StreamStatus.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import styles from './EventsPage.module.css'
import { EventTable } from './EventTable.tsx'
import { filterOf, nameFilter } from './event-filter.ts'
import { eventGroups, groupWords } from './event-groups.ts'
import { type EventSearch, readEventSearch } from './event-search.ts'
import { appendOlderEvents, hasOlderEvents, mergeEvents, newestFirst } from './merge-events.ts'

const loadEventDrawer = () => import('./EventDrawer.tsx')
const EventDrawer = lazyPart(loadEventDrawer)
const route = getRouteApi('/events')

const groupChoices = [
  { value: 'all', label: 'All' },
  ...eventGroups.map((value) => ({ value, label: groupWords[value] })),
]

/** The event log of the platform, live and back to the oldest stored event. */
export function EventsPage() {
  const search = route.useSearch()
  const { type, group, event: openId } = search
  // One type, or the types of a group.
  const filter = filterOf(search)
  const navigate = route.useNavigate()
  const [paused, setPaused] = useState(false)
  const scrolledAway = useScrolledAway()
  const held = paused || scrolledAway || openId !== undefined
  const {
    data: page,
    failure,
    isPlaceholderData,
    refetch,
    streamState,
    readOlder,
  } = useLiveEvents({ type: filter, held })
  const { shown, newCount } = useHeldList(page === undefined ? undefined : newestFirst(page.data), held)

  useEffect(() => {
    // The drawer is preloaded so that a row opens at once. A failed preload is retried on opening.
    void loadEventDrawer().catch(() => undefined)
  }, [])

  const oldestId = isPlaceholderData ? undefined : shown?.at(-1)?.id

  const filterBy = (wanted: Pick<EventSearch, 'type' | 'group'>) =>
    void navigate({ search: wanted, replace: true })
  const open = (id: number | undefined) =>
    void navigate({
      search: {
        ...(type === undefined ? {} : { type }),
        ...(group === undefined ? {} : { group }),
        ...(id === undefined ? {} : { event: id }),
      },
      replace: openId !== undefined,
      resetScroll: false,
    })
  const showNew = () => {
    setPaused(false)
    window.scrollTo({ top: 0 })
  }

  return (
    <Page
      title="Events"
      aside={
        <>
          <StreamStatus state={paused ? 'paused' : streamState} />
          <Button
            size="compact-sm"
            variant="default"
            leftSection={
              paused ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />
            }
            onClick={() => setPaused(!paused)}
          >
            {paused ? 'Resume' : 'Pause'}
          </Button>
        </>
      }
    >
      {page === undefined && failure !== null ? (
        <FailureNotice
          what="The events could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <>
          <div className={styles['tools']}>
            <SegmentedControl
              size="xs"
              aria-label="Group"
              className={styles['groups'] ?? ''}
              data={groupChoices}
              value={group ?? 'all'}
              onChange={(wanted) => filterBy(readEventSearch({ group: wanted }))}
            />
            <TypeFilter
              type={type}
              known={(page?.data ?? []).map((event) => event.type)}
              onChange={(wanted) => filterBy(wanted === undefined ? {} : { type: wanted })}
            />
            <span className={styles['count']}>{countText(shown?.length, page?.total)}</span>
          </div>
          <div className={styles['list']}>
            <div className={styles['news']} aria-live="polite">
              {newCount === 0 ? null : (
                <Button
                  size="compact-sm"
                  leftSection={<IconArrowUp size={14} aria-hidden />}
                  onClick={showNew}
                >
                  {newCount === 1 ? '1 new event' : `${newCount} new events`}
                </Button>
              )}
            </div>
            <Surface>
              <EventTable
                events={shown}
                openId={openId}
                filter={nameFilter(search)}
                onOpen={open}
                onClearFilter={() => filterBy({})}
                onRefresh={() => void refetch()}
              />
            </Surface>
            {page === undefined || oldestId === undefined ? null : (
              <EndOfList
                key={filter}
                filter={nameFilter(search)}
                oldestId={oldestId}
                hasOlder={hasOlderEvents(page)}
                readOlder={readOlder}
              />
            )}
          </div>
        </>
      )}
      <Suspense>
        {openId === undefined ? null : <EventDrawer id={openId} events={shown ?? []} onOpen={open} />}
      </Suspense>
    </Page>
  )
}

function countText(shown: number | undefined, total: number | undefined): string | undefined {
  if (shown === undefined || total === undefined) return undefined
  if (shown >= total) return total === 1 ? '1 event' : `${total.toLocaleString()} events`
  return `Newest ${shown.toLocaleString()} of ${total.toLocaleString()}`
}

/** A list that moves while it is read is unreadable: it pauses once the user scrolls, opens a row or presses Pause. */
function useHeldList(events: readonly PlatformEvent[] | undefined, held: boolean) {
  const newest = events?.[0]?.id
  const [heldAt, setHeldAt] = useState<number>()
  if (held && heldAt === undefined && newest !== undefined) setHeldAt(newest)
  if (!held && heldAt !== undefined) setHeldAt(undefined)
  const shown = heldAt === undefined ? events : events?.filter(({ id }) => id <= heldAt)
  return { shown, newCount: (events?.length ?? 0) - (shown?.length ?? 0) }
}

/** Whether the page has been scrolled away from its top. */
function useScrolledAway(): boolean {
  const [{ y }] = useWindowScroll()
  return y > 8
}

interface EndOfListProps {
  /** The filter in words; undefined without one. */
  readonly filter: string | undefined
  readonly oldestId: number
  readonly hasOlder: boolean
  readonly readOlder: (before: number) => Promise<EventPage>
}

/** The end of the list: a button for older events, or a note that there are none. */
function EndOfList({ filter, oldestId, hasOlder, readOlder }: EndOfListProps) {
  const { data: older, error, isPending, mutate } = useMutation({ mutationFn: readOlder })
  const firstOlder = older?.data.at(-1)?.id
  const isListed = firstOlder !== undefined && oldestId <= firstOlder
  useEffect(() => {
    // The button moved down by a page; the focus goes to the first added row.
    if (isListed) findRow(firstOlder)?.focus({ preventScroll: true })
  }, [firstOlder, isListed])

  const showOlder = () => {
    if (!isPending) mutate(oldestId)
  }
  return (
    <div className={styles['end']}>
      {error === null ? null : (
        <FailureNotice what="The older events could not be loaded." error={error} onRetry={showOlder} />
      )}
      {hasOlder && error === null ? (
        <Button size="compact-sm" variant="default" onClick={showOlder}>
          {isPending ? 'Loading older events…' : 'Show older events'}
        </Button>
      ) : null}
      <p role="status">{hasOlder ? null : endText(filter, oldestId)}</p>
    </div>
  )
}

function endText(filter: string | undefined, oldestId: number): string {
  if (filter !== undefined) return `The log has no older event of ${filter}.`
  return oldestId === 1 ? 'The log begins here.' : 'The log begins here; older events are no longer kept.'
}

interface TypeFilterProps {
  readonly type: string | undefined
  /** The event types seen so far, suggested while typing. */
  readonly known: readonly string[]
  readonly onChange: (type: string | undefined) => void
}

/** Filters the list by event type. A typed value applies on Enter, on selection and on blur. */
function TypeFilter({ type, known, onChange }: TypeFilterProps) {
  const [draft, setDraft] = useState<string>()
  const commit = (text: string) => {
    setDraft(undefined)
    const wanted = text.trim()
    if (wanted !== (type ?? '')) onChange(wanted === '' ? undefined : wanted)
  }
  return (
    <Autocomplete
      data-filter
      aria-label="Event type"
      placeholder="All types"
      size="sm"
      className={styles['filter'] ?? ''}
      leftSection={<IconFilter size={16} stroke={1.75} aria-hidden />}
      data={[...new Set(known)].toSorted()}
      value={draft ?? type ?? ''}
      onChange={setDraft}
      onOptionSubmit={commit}
      onBlur={() => {
        if (draft !== undefined) commit(draft)
      }}
      onKeyDown={(press) => {
        if (press.key === 'Enter' && draft !== undefined) commit(draft)
      }}
      clearable
      clearButtonProps={{ 'aria-label': 'Show all types', 'aria-hidden': false, tabIndex: 0 }}
      comboboxProps={{ withinPortal: false }}
      // No separate scroll area: the element named by `aria-controls` has to be the one that scrolls.
      withScrollArea={false}
      classNames={{ options: styles['options'] ?? '' }}
      onClear={() => commit('')}
    />
  )
}

/** Events are batched for this long: a burst must not render the page a hundred times. */
const gatherMs = 100

/** The number of events the live list keeps, unless the user loaded more. */
const flowingLimit = 500

/** The additional events a paused list may hold: shown rows stay, and new events wait on top. */
const pausedLimit = 5_000

/** The newest events, kept up to date by the stream while the page is visible. */
function useLiveEvents({ type, held }: { type: string | undefined; held: boolean }) {
  const api = useApi()
  const cache = useQueryClient()
  const newest = newestEventsQuery(api, type)
  const result = useApiQuery(newest)
  const kept = useRef(flowingLimit)
  const [streamState, setStreamState] = useState<StreamState>('connecting')
  const isVisible = useDocumentVisibility() === 'visible'
  // A pending response would overwrite newer stream events.
  const isLoaded = result.data !== undefined && !result.isPlaceholderData && !result.isFetching

  const changePage = (change: (page: EventPage) => EventPage) =>
    cache.setQueryData(newest.queryKey, (page) => (page === undefined ? page : change(page)))
  const show = useEffectEvent((arrived: readonly PlatformEvent[]) => {
    const limit = held ? kept.current + pausedLimit : kept.current
    changePage((page) => mergeEvents(page, arrived, { type, limit }))
  })

  useEffect(() => {
    const start = cache.getQueryData<EventPage>(newestEventsQuery(api, type).queryKey)
    if (!isVisible || !isLoaded || start === undefined) return undefined
    const stop = new AbortController()
    let gathered: PlatformEvent[] = []
    let timer: ReturnType<typeof setTimeout> | undefined

    const showGathered = () => {
      show(gathered)
      gathered = []
      timer = undefined
    }
    void followEvents({
      send: api.send,
      origin: window.location.origin,
      after: start.last_id,
      type,
      signal: stop.signal,
      onState: setStreamState,
      onLost: () => void cache.resetQueries({ queryKey: newestEventsQuery(api, type).queryKey }),
      onEvent: (event) => {
        gathered.push(event)
        timer ??= setTimeout(showGathered, gatherMs)
      },
    })
    return () => {
      // Batched events are dropped without loss: the next stream starts after the last event shown.
      stop.abort()
      clearTimeout(timer)
    }
  }, [api, cache, type, isVisible, isLoaded])

  async function readOlder(before: number): Promise<EventPage> {
    const older = await readEvents(api, { before, type })
    const page = changePage((known) => appendOlderEvents(known, older))
    kept.current = Math.max(kept.current, page?.data.length ?? 0)
    return older
  }

  return { ...result, streamState, readOlder }
}
