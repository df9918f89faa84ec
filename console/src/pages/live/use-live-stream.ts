import { useDocumentVisibility } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import type { ApiFailure } from '../../api/api-failure.ts'
import { followStream, type StreamState } from '../../api/follow-stream.ts'
import type { ServerSentEvent } from '../../api/read-server-sent-events.ts'
import type { LiveEvent } from './live-words.ts'

/** How busy the platform is. */
export interface LoadNow {
  readonly active_workflows: number
  readonly queue_size: number
  readonly system_load: number | null
}

/** So many are kept: whoever wants more reads the list of executions. */
const mostEvents = 500

/** What happens on the platform from now on, for as long as the page is visible; nothing is missed in between. */
export function useLiveStream() {
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
        setEvents((before) => [event, ...before].slice(0, mostEvents))
      },
    })
    return () => stop.abort()
  }, [api, isVisible])

  return { events, load, streamState, refusal }
}

/** When it happened: what was missed for a while does not look as if it had just come. */
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
