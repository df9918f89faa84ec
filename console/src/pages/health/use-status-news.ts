import { useDocumentVisibility } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { followEvents } from '../../api/follow-events.ts'
import type { StreamState } from '../../api/follow-stream.ts'
import { statusKey } from './health-queries.ts'

/** Refetches are batched: a failing service opens an incident at the same moment. */
const gatherMs = 150

/** How soon it is tried again when the log does not answer, or has forgotten where we were. */
const retryMs = 5_000

/**
 * Asks for everything of status again as soon as the platform tells that something of it happened, for as long as the page is
 * visible. Answers whether such news arrive at the moment.
 */
export function useStatusNews(): StreamState {
  const api = useApi()
  const cache = useQueryClient()
  const [streamState, setStreamState] = useState<StreamState>('connecting')
  const isVisible = useDocumentVisibility() === 'visible'

  useEffect(() => {
    if (!isVisible) return undefined
    const stop = new AbortController()
    const { signal } = stop
    let timer: ReturnType<typeof setTimeout> | undefined

    const refresh = () => {
      timer = undefined
      void cache.invalidateQueries({ queryKey: statusKey })
    }
    const follow = async () => {
      const query = { limit: 1 }
      const { last_id: after } = await bodyOf(api.client.GET('/api/v1/events', { signal, params: { query } }))
      // What happened before may be missing in what is shown; what happens from here on, the stream tells.
      refresh()
      await followEvents({
        send: api.send,
        origin: window.location.origin,
        after,
        type: undefined,
        signal,
        onState: setStreamState,
        // It ends then, and is begun anew.
        onLost: () => undefined,
        onEvent: ({ type }) => {
          if (type.startsWith('status.')) timer ??= setTimeout(refresh, gatherMs)
        },
      })
    }
    const keepFollowing = async () => {
      while (!signal.aborted) {
        await follow().catch(() => undefined)
        if (signal.aborted) return
        setStreamState('waiting')
        await pause(retryMs, signal)
      }
    }
    void keepFollowing()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [api, cache, isVisible])

  return streamState
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
