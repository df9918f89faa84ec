import { queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'

/** Every model of every provider, by id. */
export function modelsQuery(api: Api) {
  return queryOptions({
    queryKey: ['models'],
    queryFn: async ({ signal }) => (await bodyOf(api.client.GET('/api/v1/models', { signal }))).data,
    staleTime: 15_000,
  })
}
