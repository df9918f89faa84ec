import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from './api.ts'
import { pageSize, readAll } from './read-all.ts'

/** The accounts of the platform; a search text selects those whose name or address contains it. */
export const userSorts = ['username', 'email', 'tier', 'state', 'last_login'] as const

interface UserListing {
  readonly search: string | undefined
  /** Such as `-last_login` for the latest first. */
  readonly sort?: string | undefined
  readonly page: number
}

export function usersQuery(api: Api, { search, sort, page }: UserListing) {
  const by = userSorts.find((name) => name === sort?.replace(/^-/, ''))
  const order = sort?.startsWith('-') === true ? ('desc' as const) : ('asc' as const)
  const query = {
    page,
    limit: pageSize,
    ...(search === undefined ? {} : { search }),
    ...(by === undefined ? {} : { sort: by, order }),
  }
  return queryOptions({
    queryKey: ['users', 'list', query],
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
