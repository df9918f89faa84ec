import { queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'

const refreshMs = 30_000

/** Who provides models, and how they are; looked at again while somebody looks. */
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
