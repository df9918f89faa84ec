import { queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'

const refreshMs = 30_000

/** Providers and their state, refetched while the page is visible. */
export function providersQuery(api: Api) {
  return queryOptions({
    queryKey: ['providers'],
    queryFn: async ({ signal }) => (await bodyOf(api.client.GET('/api/v1/providers', { signal }))).data,
    refetchInterval: refreshMs,
  })
}

/** Prices that were set here. */
export function pricesQuery(api: Api) {
  return queryOptions({
    queryKey: ['prices'],
    queryFn: ({ signal }) => bodyOf(api.client.GET('/api/v1/prices', { signal })),
  })
}
