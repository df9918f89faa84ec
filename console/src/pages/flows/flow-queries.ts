import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'
import { pageSize } from '../../api/page-size.ts'
import type { FlowSearch } from './flow-search.ts'

/** Flows that match, with their newest executions. */
export function flowsQuery(api: Api, { search, tag, which, page = 1 }: FlowSearch) {
  return queryOptions({
    queryKey: ['flows', 'list', search, tag, which, page],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/ai-workflows/api/flows', {
          signal,
          params: {
            query: {
              runs: true,
              page,
              limit: pageSize,
              ...(search === undefined ? {} : { search }),
              ...(tag === undefined ? {} : { tag }),
              ...(which === 'built_in' ? { built_in: true } : {}),
              ...(which === 'mine' ? { mine: true } : {}),
            },
          },
        }),
      ),
    placeholderData: keepPreviousData,
  })
}

/** A flow, at its current version or another. */
export function flowQuery(api: Api, { id, version }: { id: string; version?: number | undefined }) {
  return queryOptions({
    queryKey: ['flows', 'one', id, version],
    queryFn: ({ signal }) =>
      version === undefined
        ? bodyOf(api.client.GET('/ai-workflows/api/flows/{id}', { signal, params: { path: { id } } }))
        : bodyOf(
            api.client.GET('/ai-workflows/api/flows/{id}/versions/{version}', {
              signal,
              params: { path: { id, version } },
            }),
          ),
  })
}

export function versionsQuery(api: Api, { id, page }: { id: string; page: number }) {
  return queryOptions({
    queryKey: ['flows', 'versions', id, page],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/ai-workflows/api/flows/{id}/versions', {
          signal,
          params: { path: { id }, query: { page, limit: pageSize } },
        }),
      ),
    placeholderData: keepPreviousData,
  })
}

/** What is different between two versions. */
export function diffQuery(api: Api, { id, from, to }: { id: string; from: number; to: number }) {
  return queryOptions({
    queryKey: ['flows', 'diff', id, from, to],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/ai-workflows/api/flows/{id}/diff', {
          signal,
          params: { path: { id }, query: { from, to } },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
