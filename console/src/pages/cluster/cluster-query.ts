import { queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'
import type { ClusterView } from './cluster-bodies.ts'

/** The cluster as it is. The stream carries on from there, so this is not asked for again. */
export function clusterQuery(api: Api) {
  return queryOptions({
    queryKey: ['cluster'],
    queryFn: ({ signal }): Promise<ClusterView> => bodyOf(api.client.GET('/api/cluster/status', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
