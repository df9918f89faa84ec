import { queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'
import type { paths } from '../../api/schema.generated.ts'

const refreshMs = 30_000

/** Providers and their state, refetched while the page is visible. */
export function providersQuery(api: Api) {
  return queryOptions({
    queryKey: ['providers'],
    queryFn: async ({ signal }) => (await bodyOf(api.client.GET('/api/v1/providers', { signal }))).data,
    refetchInterval: refreshMs,
  })
}

/** The custom prices. */
export function pricesQuery(api: Api) {
  return queryOptions({
    queryKey: ['prices'],
    queryFn: ({ signal }) => bodyOf(api.client.GET('/api/v1/prices', { signal })),
  })
}

/** The limits of models and providers. */
export function limitsQuery(api: Api) {
  return queryOptions({
    queryKey: ['model-limits'],
    queryFn: async ({ signal }) => (await bodyOf(api.client.GET('/api/v1/model-limits', { signal }))).data,
  })
}

type ProviderList = paths['/api/v1/providers']['get']['responses'][200]['content']['application/json']
export type Provider = ProviderList['data'][number]
export type AddedProvider =
  paths['/api/v1/providers']['post']['responses'][201]['content']['application/json']
type PriceList = paths['/api/v1/prices']['get']['responses'][200]['content']['application/json']
export type SetPrice = PriceList['data'][number]
type LimitList = paths['/api/v1/model-limits']['get']['responses'][200]['content']['application/json']
export type ModelLimit = LimitList['data'][number]
