import { queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'
import type { paths } from '../../api/schema.generated.ts'
import { readText } from '../../parts/read-search.ts'

/** The cluster status, read once: the stream keeps it up to date. */
export function clusterQuery(api: Api) {
  return queryOptions({
    queryKey: ['cluster'],
    queryFn: ({ signal }): Promise<ClusterView> => bodyOf(api.client.GET('/api/cluster/status', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

type Overview = paths['/api/cluster/status']['get']['responses'][200]['content']['application/json']
type NodeDetails = paths['/api/cluster/nodes/{id}']['get']['responses'][200]['content']['application/json']

export type NodeHistory = NodeDetails['history']
export type NodeRecord = Overview['nodes'][number]
export type StrategyName =
  paths['/api/cluster/strategy']['get']['responses'][200]['content']['application/json']['strategy']

/** A node as the page shows it. The stream delivers `history`; `heard` counts its messages to detect outdated responses. */
export type ClusterNode = NodeRecord & { readonly history?: NodeHistory; readonly heard?: number }

/** The cluster as the page shows it. */
export type ClusterView = Omit<Overview, 'nodes' | 'models'> & { readonly nodes: readonly ClusterNode[] }

/** A periodic stream message: the cluster status and the changed numbers. */
export type Measurements = Omit<ClusterView, 'nodes'> & {
  readonly nodes: ReadonlyArray<
    Pick<
      NodeDetails,
      'id' | 'active_connections' | 'requests' | 'failures' | 'latency' | 'last_check' | 'history'
    >
  >
}

/** The search parameters of the Cluster page: the open node, and whether the form of a new node is open. */
interface ClusterSearch {
  node?: string
  create?: true
}

/** Parses the search parameters and drops invalid values. */
export function readClusterSearch({ node, create }: Record<string, unknown>): ClusterSearch {
  const id = readText(node)
  return { ...(id === undefined ? {} : { node: id }), ...(create === true ? { create } : {}) }
}
