import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../../api/api.ts'
import { readAll } from '../../../api/read-all.ts'
import type { paths } from '../../../api/schema.generated.ts'
import type { Timeframe } from '../overview-search.ts'

export type Overview =
  paths['/ai-workflows/api/overview']['get']['responses'][200]['content']['application/json']

/** The polling interval of waiting executions: no event announces that an execution starts to wait. */
const waitingMs = 10_000
/** Time passes also without events. */
const overviewMs = 60_000

/** The cache key prefix of the execution lists, which events invalidate. */
const listKey = ['executions', 'list', 'overview'] as const

/** The numbers of a period with the failures and the newest executions. */
export function overviewQuery(api: Api, timeframe: Timeframe) {
  return queryOptions({
    queryKey: [...listKey, timeframe],
    queryFn: ({ signal }) =>
      bodyOf(api.client.GET('/ai-workflows/api/overview', { signal, params: { query: { timeframe } } })),
    placeholderData: keepPreviousData,
    refetchInterval: overviewMs,
  })
}

/** Executions that wait for approval, oldest first. */
export function approvalsQuery(api: Api) {
  return queryOptions({
    queryKey: [...listKey, 'approvals'],
    queryFn: ({ signal }) =>
      bodyOf(api.client.GET('/ai-workflows/api/approvals', { signal, params: { query: { limit: 20 } } })),
    refetchInterval: waitingMs,
  })
}

/** The open human tasks that are assigned to the account, oldest first. */
export function openTasksQuery(api: Api) {
  return queryOptions({
    queryKey: ['human-tasks', 'overview'],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/ai-workflows/api/human-tasks', {
          signal,
          params: { query: { state: 'open', assigned: 'me', page: 1, limit: 10 } },
        }),
      ),
    refetchInterval: waitingMs,
  })
}

/** Requests of this query count against the quota they show, so it runs once and on demand. */
export function quotaQuery(api: Api) {
  return queryOptions({
    queryKey: ['overview', 'counted', 'quota'],
    queryFn: ({ signal }) => bodyOf(api.client.GET('/ai-orchestra/api/quotas/current', { signal })),
    staleTime: 300_000,
    refetchOnWindowFocus: false,
  })
}

/** All enabled schedules of an account. An account has at most 200, so these are one or two pages. */
export function ownSchedulesQuery(api: Api, account: string) {
  return queryOptions({
    queryKey: ['schedules', 'own', account],
    queryFn: ({ signal }) =>
      readAll(async ({ limit, page }) => {
        const query = { account, enabled: true, limit, page }
        const { schedules, total } = await bodyOf(
          api.client.GET('/ai-workflows/api/schedules', { signal, params: { query } }),
        )
        return { data: schedules, total }
      }),
  })
}
