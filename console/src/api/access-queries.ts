import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from './api.ts'
import { pageSize, readAll } from './read-all.ts'

/** The owner of the listed keys or clients: `me`, or `all` accounts. */
export type Owner = 'me' | 'all'

export function apiKeysQuery(api: Api, { owner, page }: { owner: Owner; page: number }) {
  return queryOptions({
    queryKey: ['api-keys', owner, page],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/api/v1/api-keys', { signal, params: { query: { owner, page, limit: pageSize } } }),
      ),
    placeholderData: keepPreviousData,
  })
}

export function oauthClientsQuery(api: Api, { owner, page }: { owner: Owner; page: number }) {
  return queryOptions({
    queryKey: ['oauth-clients', 'list', owner, page],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/api/v1/oauth-clients', {
          signal,
          params: { query: { owner, page, limit: pageSize } },
        }),
      ),
    placeholderData: keepPreviousData,
  })
}

export function oauthClientQuery(api: Api, clientId: string) {
  return queryOptions({
    queryKey: ['oauth-clients', 'one', clientId],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/api/v1/oauth-clients/{client_id}', {
          signal,
          params: { path: { client_id: clientId } },
        }),
      ),
  })
}

/** The scopes of keys and applications; they change only with a release. */
export function scopesQuery(api: Api) {
  return queryOptions({
    queryKey: ['scopes'],
    queryFn: ({ signal }) => bodyOf(api.client.GET('/api/v1/scopes', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The active sessions of the account. */
export function sessionsQuery(api: Api) {
  return queryOptions({
    queryKey: ['sessions'],
    queryFn: ({ signal }) =>
      readAll((query) => bodyOf(api.client.GET('/api/v1/sessions', { signal, params: { query } }))),
  })
}

/** The applications authorised to act for the account. */
export function authorizationsQuery(api: Api) {
  return queryOptions({
    queryKey: ['authorizations'],
    queryFn: ({ signal }) =>
      readAll((query) => bodyOf(api.client.GET('/api/v1/authorizations', { signal, params: { query } }))),
  })
}
