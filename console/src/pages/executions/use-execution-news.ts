import { useDocumentVisibility, useThrottledCallback } from '@mantine/hooks'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { followStream, type StreamState } from '../../api/follow-stream.ts'

/** The minimum time between two reads of the list, at any event rate. */
const shortestPauseMs = 1500

const listsAlone: readonly QueryKey[] = []

const nothing = () => {}

/**
 * Refetches the lists of executions, and the other queries the page names, when an event about an execution arrives, and then calls
 * `onNews`. It follows the stream while the page is visible.
 */
export function useExecutionNews(
  also: readonly QueryKey[] = listsAlone,
  onNews: () => void = nothing,
): StreamState {
  const api = useApi()
  const cache = useQueryClient()
  const [state, setState] = useState<StreamState>('connecting')
  const isVisible = useDocumentVisibility() === 'visible'
  const readLists = useThrottledCallback(() => {
    for (const queryKey of [['executions', 'list'], ...also]) void cache.invalidateQueries({ queryKey })
    onNews()
  }, shortestPauseMs)

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
