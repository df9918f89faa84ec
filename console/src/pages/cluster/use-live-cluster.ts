import { useDocumentVisibility } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import type { ApiFailure } from '../../api/api-failure.ts'
import { followStream, type StreamState } from '../../api/follow-stream.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import {
  type ClusterNode,
  type ClusterView,
  clusterQuery,
  type Measurements,
  type NodeRecord,
} from './cluster-query.ts'

/** The cluster status, kept up to date by the stream while the page is visible. */
export function useLiveCluster() {
  const api = useApi()
  const tell = useClusterNews()
  const result = useApiQuery(clusterQuery(api))
  const [streamState, setStreamState] = useState<StreamState>('connecting')
  const [refusal, setRefusal] = useState<ApiFailure | null>(null)
  const isVisible = useDocumentVisibility() === 'visible'
  // A pending response would overwrite newer stream messages.
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

/** Applies a stream message to the cached cluster status. */
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

/** Applies the node in the response of a change to the cached status. `id` is undefined for a new node. */
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

/** The stream messages, by event type. */
type ClusterNews =
  | { readonly event: 'nodes'; readonly data: { readonly nodes: readonly NodeRecord[] } }
  | { readonly event: 'node_changed'; readonly data: { readonly node: NodeRecord } }
  | { readonly event: 'node_removed'; readonly data: { readonly node: { readonly id: string } } }
  | { readonly event: 'measured'; readonly data: Measurements }

const events: ReadonlySet<string> = new Set<ClusterNews['event']>([
  'nodes',
  'node_changed',
  'node_removed',
  'measured',
])

/** Parses a stream message; event types unknown to this console are ignored. */
export function readNews({ event, data }: { event: string; data: string }): ClusterNews | undefined {
  return events.has(event) ? ({ event, data: JSON.parse(data) } as ClusterNews) : undefined
}

/** The cluster after a stream message. Nodes keep their order, so that no row jumps. */
export function applyNews(view: ClusterView, news: ClusterNews): ClusterView {
  switch (news.event) {
    case 'nodes':
      return { ...view, nodes: news.data.nodes.map((node) => succeed(node, view)) }
    case 'node_changed':
      return putNode(view, succeed(news.data.node, view))
    case 'node_removed':
      return { ...view, nodes: view.nodes.filter(({ id }) => id !== news.data.node.id) }
    default: {
      const measured = new Map(news.data.nodes.map((node) => [node.id, node]))
      const nodes = view.nodes.map((node) => ({ ...node, ...measured.get(node.id) }))
      return { ...view, ...news.data, nodes }
    }
  }
}

/**
 * The cluster after the response of a change. Stream messages about the node that arrived since the request are newer than
 * the response; `heardBefore` is the number of messages before the request.
 */
export function applyAnswer(view: ClusterView, node: NodeRecord, heardBefore: number): ClusterView {
  const known = view.nodes.find(({ id }) => id === node.id)
  return heardOf(view, node.id) === heardBefore ? putNode(view, { ...known, ...node }) : view
}

/** The number of stream messages about a node. */
export function heardOf({ nodes }: ClusterView, id: string | undefined): number {
  return nodes.find((node) => node.id === id)?.heard ?? 0
}

function putNode(view: ClusterView, node: ClusterNode): ClusterView {
  const isKnown = view.nodes.some(({ id }) => id === node.id)
  const nodes = isKnown
    ? view.nodes.map((known) => (known.id === node.id ? node : known))
    : [...view.nodes, node]
  return { ...view, nodes }
}

/** The node of a stream message, with the history known so far. */
function succeed(node: NodeRecord, view: ClusterView): ClusterNode {
  const history = view.nodes.find(({ id }) => id === node.id)?.history
  return { ...node, ...(history === undefined ? {} : { history }), heard: heardOf(view, node.id) + 1 }
}
