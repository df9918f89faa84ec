import {
  keepPreviousData,
  QueryClient,
  type QueryFilters,
  type QueryKey,
  queryOptions,
} from '@tanstack/react-query'
import { type Api, bodyOf } from './api.ts'
import { ApiFailure } from './api-failure.ts'
import type { EventPage } from './responses.ts'

const systemRefreshMs = 5_000

/** How soon a page without data retries a failed query. */
const recoveryMs = 5_000

/** The number of events per request: the maximum of the platform. */
const eventPageSize = 200

/** Creates the query cache of the console. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // A platform on the same machine is reachable without a network.
        networkMode: 'always',
        retry: (failures, error) => failures < 2 && isPassing(error),
        retryDelay: (attempt) => 400 * 2 ** attempt,
        refetchInterval: ({ state: { data, error } }) =>
          data === undefined && isPassing(error) ? recoveryMs : false,
      },
      mutations: { networkMode: 'always' },
    },
  })
}

/**
 * Refetches the lists of a deleted item, and marks the item's own queries as stale. They stay in the cache: a page
 * that is still shown would request a removed query again, and the platform would answer 404.
 */
export async function refetchAfterDelete(
  cache: QueryClient,
  { lists, deleted }: { lists: QueryFilters; deleted: QueryKey },
): Promise<void> {
  await Promise.all([
    cache.invalidateQueries({ queryKey: deleted, refetchType: 'none' }),
    cache.invalidateQueries(lists),
  ])
}

/** Whether the error can disappear without a change: the platform restarts, or its database is unavailable. */
function isPassing(error: unknown): boolean {
  return error instanceof ApiFailure && error.retryable
}

/** Platform status, refetched every few seconds while the page is visible. */
export function systemQuery(api: Api) {
  return queryOptions({
    queryKey: ['system'],
    queryFn: ({ signal }) => bodyOf(api.client.GET('/api/v1/system', { signal })),
    refetchInterval: systemRefreshMs,
  })
}

/** The signed-in account. */
export function profileQuery(api: Api) {
  return queryOptions({
    queryKey: ['profile'],
    queryFn: ({ signal }) => bodyOf(api.client.GET('/api/v1/user/profile', { signal })),
    staleTime: 60_000,
  })
}

/** The newest events, of one type when given. The event stream continues from there, so the query is never refetched. */
export function newestEventsQuery(api: Api, type: string | undefined) {
  return queryOptions({
    queryKey: ['events', 'newest', type ?? null],
    queryFn: ({ signal }) => readEvents(api, { type }, signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The newest events, or the newest before an id, of one type when given. */
export async function readEvents(
  api: Api,
  { before, type }: { before?: number; type: string | undefined },
  signal?: AbortSignal,
): Promise<EventPage> {
  const query = {
    limit: eventPageSize,
    ...(before === undefined ? {} : { before }),
    ...(type === undefined ? {} : { type }),
  }
  return await bodyOf(
    api.client.GET('/api/v1/events', { params: { query }, ...(signal === undefined ? {} : { signal }) }),
  )
}

/** One event by its id, or null when the log does not contain it. */
export function eventQuery(api: Api, id: number) {
  return queryOptions({
    queryKey: ['events', 'one', id],
    queryFn: async ({ signal }) => {
      const query = { after: id - 1, limit: 1 }
      const page = await bodyOf(api.client.GET('/api/v1/events', { signal, params: { query } }))
      return page.data.find((event) => event.id === id) ?? null
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}
