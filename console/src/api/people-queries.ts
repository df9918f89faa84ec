import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from './api.ts'
import { pageSize, readAll } from './read-all.ts'

/** The accounts of the platform; a search text selects those whose name or address contains it. */
export function usersQuery(api: Api, { search, page }: { search: string | undefined; page: number }) {
  const query = { page, limit: pageSize, ...(search === undefined ? {} : { search }) }
  return queryOptions({
    queryKey: ['users', 'list', search ?? null, page],
    queryFn: ({ signal }) => bodyOf(api.client.GET('/api/v1/users', { signal, params: { query } })),
    placeholderData: keepPreviousData,
  })
}

export function userQuery(api: Api, id: string) {
  return queryOptions({
    queryKey: ['users', 'one', id],
    queryFn: ({ signal }) =>
      bodyOf(api.client.GET('/api/v1/users/{id}', { signal, params: { path: { id } } })),
  })
}

export function rolesQuery(api: Api) {
  return queryOptions({
    queryKey: ['roles'],
    queryFn: ({ signal }) =>
      readAll((query) => bodyOf(api.client.GET('/api/v1/roles', { signal, params: { query } }))),
  })
}

/** The permissions a role can grant; they change only with a release. */
export function permissionsQuery(api: Api) {
  return queryOptions({
    queryKey: ['permissions'],
    queryFn: ({ signal }) => bodyOf(api.client.GET('/api/v1/permissions', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
