import { useDocumentVisibility } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import type { EventPage, PlatformEvent } from '../../api/bodies.ts'
import { followEvents, type StreamState } from '../../api/follow-events.ts'
import { newestEventsQuery } from '../../api/queries.ts'
import { mergeEvents } from './merge-events.ts'

/** Events that arrive together are shown together: a burst must not draw the page a hundred times. */
const gatherMs = 100

/** The newest events, kept up to date by the stream for as long as the page is visible. */
export function useLiveEvents({ type, held }: { type: string | undefined; held: boolean }) {
  const api = useApi()
  const cache = useQueryClient()
  const result = useQuery(newestEventsQuery(api, type))
  const [streamState, setStreamState] = useState<StreamState>('connecting')
  const isVisible = useDocumentVisibility() === 'visible'
  // An answer that is still on its way would overwrite what the stream has added meanwhile.
  const isLoaded = result.data !== undefined && !result.isPlaceholderData && !result.isFetching
  const show = useEffectEvent((arrived: readonly PlatformEvent[]) => {
    cache.setQueryData(newestEventsQuery(api, type).queryKey, (page) =>
      page === undefined ? page : mergeEvents(page, arrived, { type, held }),
    )
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

  return { ...result, streamState }
}
