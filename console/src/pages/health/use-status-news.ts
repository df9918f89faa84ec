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

/** The pause before the event stream is retried after an error or after the log has lost the last position. */
const retryMs = 5_000

/**
 * Refetches all status queries on each status event while the page is visible. Returns the state of the event
 * stream.
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
      // The shown data may miss events before `after`; the stream delivers the later ones.
      refresh()
      await followEvents({
        send: api.send,
        origin: window.location.origin,
        after,
        type: undefined,
        signal,
        onState: setStreamState,
        // The stream ends on its own, and the loop below starts a new one.
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
