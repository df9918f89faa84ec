import '../../theme/mantine-floating.css'
import { Button } from '@mantine/core'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Surface } from '../../parts/Section.tsx'
import { StreamStatus } from '../../parts/StreamStatus.tsx'
import { EndOfList } from './EndOfList.tsx'
import styles from './EventsPage.module.css'
import { EventTable } from './EventTable.tsx'
import { hasOlderEvents, newestFirst } from './merge-events.ts'
import { TypeFilter } from './TypeFilter.tsx'
import { useHeldList, useScrolledAway } from './use-held-list.ts'
import { useLiveEvents } from './use-live-events.ts'

const loadEventDrawer = () => import('./EventDrawer.tsx')
const EventDrawer = lazy(loadEventDrawer)
const route = getRouteApi('/events')

/** The platform's log as it happens, and as far back as it is kept. */
export function EventsPage() {
  const { type, event: openId } = route.useSearch()
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
  } = useLiveEvents({ type, held })
  const { shown, newCount } = useHeldList(page === undefined ? undefined : newestFirst(page.data), held)

  useEffect(() => {
    // Fetched early, a row opens at once; a failed fetch is no loss, opening asks again.
    void loadEventDrawer().catch(() => undefined)
  }, [])

  const oldestId = isPlaceholderData ? undefined : shown?.at(-1)?.id

  const filterBy = (wanted: string | undefined) =>
    void navigate({ search: wanted === undefined ? {} : { type: wanted }, replace: true })
  const open = (id: number | undefined) =>
    void navigate({
      search: { ...(type === undefined ? {} : { type }), ...(id === undefined ? {} : { event: id }) },
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
        <FailureNotice what="The events could not be read." error={failure} onRetry={() => void refetch()} />
      ) : (
        <>
          <div className={styles['tools']}>
            <TypeFilter
              type={type}
              known={(page?.data ?? []).map((event) => event.type)}
              onChange={filterBy}
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
                type={type}
                onOpen={open}
                onClearFilter={() => filterBy(undefined)}
                onRefresh={() => void refetch()}
              />
            </Surface>
            {page === undefined || oldestId === undefined ? null : (
              <EndOfList
                key={type}
                type={type}
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
