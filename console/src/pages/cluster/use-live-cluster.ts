import { useDocumentVisibility } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import type { ApiFailure } from '../../api/api-failure.ts'
import type { StreamState } from '../../api/follow-stream.ts'
import { followStream } from '../../api/follow-stream.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { NodeRecord } from './cluster-bodies.ts'
import { applyAnswer, applyNews, type ClusterNews, heardOf, readNews } from './cluster-news.ts'
import { clusterQuery } from './cluster-query.ts'

/** The cluster, kept up to date by its stream for as long as the page is visible. */
export function useLiveCluster() {
  const api = useApi()
  const tell = useClusterNews()
  const result = useAnswer(clusterQuery(api))
  const [streamState, setStreamState] = useState<StreamState>('connecting')
  const [refusal, setRefusal] = useState<ApiFailure | null>(null)
  const isVisible = useDocumentVisibility() === 'visible'
  // An answer that is still on its way would overwrite what the stream has told meanwhile.
  const isLoaded = result.data !== undefined && !result.isFetching

  useEffect(() => {
    if (!isVisible || !isLoaded) return undefined
    const stop = new AbortController()
    void followStream({
      send: api.send,
      address: new URL('/api/cluster/events?measurements=true', window.location.origin),
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
        const news = readNews(message)
        if (news !== undefined) tell(news)
      },
    })
    return () => stop.abort()
  }, [api, tell, isVisible, isLoaded])

  return { ...result, streamState, refusal }
}

/** Puts what happened into what is shown. */
export function useClusterNews(): (news: ClusterNews) => void {
  const api = useApi()
  const cache = useQueryClient()
  return useCallback(
    (news) =>
      void cache.setQueryData(clusterQuery(api).queryKey, (view) =>
        view === undefined ? view : applyNews(view, news),
      ),
    [api, cache],
  )
}

/** Shows the node that a change answers with. `id` is that of the node, unless it is new. */
export function useNodeAnswer(): (
  id: string | undefined,
  ask: () => Promise<NodeRecord>,
) => Promise<NodeRecord> {
  const api = useApi()
  const cache = useQueryClient()
  return useCallback(
    async (id, ask) => {
      const { queryKey } = clusterQuery(api)
      const before = cache.getQueryData(queryKey)
      const heardBefore = before === undefined ? 0 : heardOf(before, id)
      const node = await ask()
      cache.setQueryData(queryKey, (view) => view && applyAnswer(view, node, heardBefore))
      return node
    },
    [api, cache],
  )
}
