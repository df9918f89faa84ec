import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from './api.ts'
import { ApiFailure } from './api-failure.ts'
import type { EventPage } from './responses.ts'

const systemRefreshMs = 5_000

/** How soon a page that has nothing to show yet asks again by itself. */
const recoveryMs = 5_000

/** How many events a page asks for: the most the platform gives at once. */
const eventPageSize = 200

/** One cache for the whole console. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // A platform on this very machine answers without a network.
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

/** Whether time alone may mend it: a platform that restarts, a database that is away. */
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

/** The newest events, of one type when given. The stream carries on from there, so this is not asked for again. */
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

/** One event by its id, or null when the log has none. */
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
