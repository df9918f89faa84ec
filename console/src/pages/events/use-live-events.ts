import { useDocumentVisibility } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { followEvents } from '../../api/follow-events.ts'
import type { StreamState } from '../../api/follow-stream.ts'
import { newestEventsQuery, readEvents } from '../../api/queries.ts'
import type { EventPage, PlatformEvent } from '../../api/responses.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { appendOlderEvents, mergeEvents } from './merge-events.ts'

/** Events that arrive together are shown together: a burst must not draw the page a hundred times. */
const gatherMs = 100

/** How many events the live list keeps, unless the user loaded more. */
const flowingLimit = 500

/** How far it may grow beyond that while it is held: what is shown stays, and new events wait on top. */
const pausedLimit = 5_000

/** The newest events, kept up to date by the stream for as long as the page is visible. */
export function useLiveEvents({ type, held }: { type: string | undefined; held: boolean }) {
  const api = useApi()
  const cache = useQueryClient()
  const newest = newestEventsQuery(api, type)
  const result = useApiQuery(newest)
  const kept = useRef(flowingLimit)
  const [streamState, setStreamState] = useState<StreamState>('connecting')
  const isVisible = useDocumentVisibility() === 'visible'
  // An answer that is still on its way would overwrite what the stream has added meanwhile.
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
      // What was gathered but not shown is no loss: the next stream starts behind the last event shown.
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
