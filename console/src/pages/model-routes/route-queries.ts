import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { pageSize } from '../../api/read-all.ts'
import type { paths } from '../../api/schema.generated.ts'

/** All routes, by name. */
export function routesQuery(api: Api) {
  return queryOptions({
    queryKey: ['model-routes'],
    queryFn: async ({ signal }) => (await bodyOf(api.client.GET('/api/v1/model-routes', { signal }))).data,
    staleTime: 15_000,
  })
}

/** One route, with the targets that the catalogue does not have. */
export function routeQuery(api: Api, name: string) {
  return queryOptions({
    queryKey: ['model-routes', name],
    queryFn: ({ signal }) =>
      bodyOf(api.client.GET('/api/v1/model-routes/{name}', { params: { path: { name } }, signal })),
  })
}

/** The versions of a route, the newest first. */
export function routeVersionsQuery(api: Api, { name, page }: { name: string; page: number }) {
  return queryOptions({
    queryKey: ['model-routes', name, 'versions', page],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/api/v1/model-routes/{name}/versions', {
          params: { path: { name }, query: { page, limit: pageSize } },
          signal,
        }),
      ),
  })
}

/** Updates a saved route in the cache, and refetches the list and the versions. */
export function useShowRoute(): (saved: SavedRoute) => Promise<void> {
  const api = useApi()
  const cache = useQueryClient()
  return async (saved) => {
    cache.setQueryData(routeQuery(api, saved.name).queryKey, saved)
    await Promise.all([
      cache.invalidateQueries({ queryKey: ['model-routes'], exact: true }),
      cache.invalidateQueries({ queryKey: ['model-routes', saved.name, 'versions'] }),
    ])
  }
}

type RouteList = paths['/api/v1/model-routes']['get']['responses'][200]['content']['application/json']
export type ModelRoute = RouteList['data'][number]
export type SavedRoute =
  paths['/api/v1/model-routes/{name}']['get']['responses'][200]['content']['application/json']
type VersionList =
  paths['/api/v1/model-routes/{name}/versions']['get']['responses'][200]['content']['application/json']
export type RouteVersion = VersionList['data'][number]
export type RouteDefinition =
  paths['/api/v1/model-routes/{name}']['put']['requestBody']['content']['application/json']
export type Strategy = RouteDefinition['strategy']
type ExplainOperation = paths['/api/v1/model-routes/{name}/explain']['post']
export type Explanation = ExplainOperation['responses'][200]['content']['application/json']
export type Capability = NonNullable<
  ExplainOperation['requestBody']['content']['application/json']['capabilities']
>[number]
