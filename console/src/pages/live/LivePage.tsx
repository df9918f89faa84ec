import '../../theme/mantine-form.css'
import { Button, NativeSelect } from '@mantine/core'
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { Page } from '../../parts/Page.tsx'
import { Surface } from '../../parts/Section.tsx'
import { StreamStatus } from '../../parts/StreamStatus.tsx'
import { LiveSummary } from './LiveSummary.tsx'
import { LiveTable } from './LiveTable.tsx'
import { readLiveSearch } from './live-search.ts'
import { type LiveEvent, liveKinds } from './live-words.ts'
import { useLiveStream } from './use-live-stream.ts'

const LiveDrawer = lazy(() => import('./LiveDrawer.tsx'))
const route = getRouteApi('/live')

const choices = [
  { value: '', label: 'Everything' },
  ...Object.entries(liveKinds).map(([value, { title }]) => ({ value, label: title })),
]

/** How many came after this one; the newest stand first. */
function newerThan(last: LiveEvent | undefined, events: readonly LiveEvent[]): number {
  const place = events.findIndex(({ id }) => id === last?.id)
  return place === -1 ? events.length : place
}

/** What happens in executions, as it happens. */
export function LivePage() {
  // The address may say what makes no sense, and keeps it.
  const { kind } = readLiveSearch({ ...route.useSearch() })
  const navigate = route.useNavigate()
  const { events, load, streamState, refusal } = useLiveStream()
  const [held, setHeld] = useState<readonly LiveEvent[]>()
  const [opened, setOpened] = useState<LiveEvent>()
  const shown = (held ?? events).filter((event) => kind === undefined || event.kind === kind)
  const isPaused = held !== undefined
  const missed = isPaused ? newerThan(held[0], events) : 0
  const filterBy = (wanted: string) =>
    void navigate({ search: wanted === '' ? {} : { kind: wanted }, replace: true })

  return (
    <Page
      title="Live"
      lead="What happens in workflows while you look, and how busy the platform is."
      aside={
        <>
          <StreamStatus state={isPaused ? 'paused' : streamState} />
          <Button
            size="compact-sm"
            variant="default"
            leftSection={
              isPaused ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />
            }
            onClick={() => setHeld(isPaused ? undefined : events)}
          >
            {isPaused ? (missed === 0 ? 'Resume' : `Resume: ${missed} new`) : 'Pause'}
          </Button>
        </>
      }
    >
      {refusal === null ? null : (
        <FailureNotice
          what="The stream is not given."
          error={refusal}
          onRetry={() => window.location.reload()}
        />
      )}
      <LiveSummary load={load} />
      <ListTools count={shown.length === 1 ? '1 event' : `${shown.length} events`}>
        <NativeSelect
          data-filter
          size="sm"
          aria-label="Kind of event"
          data={choices}
          value={kind ?? ''}
          onChange={({ currentTarget }) => filterBy(currentTarget.value)}
        />
      </ListTools>
      <Surface>
        <LiveTable
          events={shown}
          openId={opened?.id}
          isFiltered={kind !== undefined}
          onOpen={(id) => setOpened(shown.find((event) => event.id === id))}
          onClear={() => filterBy('')}
        />
      </Surface>
      <Suspense>
        {opened === undefined ? null : <LiveDrawer event={opened} onClose={() => setOpened(undefined)} />}
      </Suspense>
    </Page>
  )
}
