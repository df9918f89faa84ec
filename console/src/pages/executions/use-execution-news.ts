import { useDocumentVisibility, useThrottledCallback } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { followStream, type StreamState } from '../../api/follow-stream.ts'

/** The list is read again at most this often, however much happens. */
const shortestPauseMs = 1500

/** Reads lists of executions again when something happens to one, for as long as the page is visible. */
export function useExecutionNews(): StreamState {
  const api = useApi()
  const cache = useQueryClient()
  const [state, setState] = useState<StreamState>('connecting')
  const isVisible = useDocumentVisibility() === 'visible'
  const readLists = useThrottledCallback(
    () => void cache.invalidateQueries({ queryKey: ['executions', 'list'] }),
    shortestPauseMs,
  )

  useEffect(() => {
    if (!isVisible) return undefined
    const stop = new AbortController()
    void followStream({
      send: api.send,
      address: new URL('/ai-orchestra/api/live-stream', window.location.origin),
      signal: stop.signal,
      onRefused: () => 'ask again',
      onState: setState,
      onMessage: ({ event }) => {
        if (event.startsWith('workflow_')) readLists()
      },
    })
    return () => stop.abort()
  }, [api, readLists, isVisible])

  return state
}
