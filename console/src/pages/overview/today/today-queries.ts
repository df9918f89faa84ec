import { queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../../api/api.ts'
import { readAll } from '../../../api/read-all.ts'
import type { ExecutionEntry } from '../../executions/execution-queries.ts'

/** The polling interval of waiting executions: no event announces that an execution starts to wait. */
const waitingMs = 10_000

/** The cache key prefix of the execution lists, which events invalidate. */
const listKey = ['executions', 'list', 'overview'] as const

interface Wanted {
  readonly status?: ExecutionEntry['status']
  readonly account?: string
  /** The earliest creation time. */
  readonly since?: string
  readonly limit: number
}

/** The newest matching executions, and their total. */
export function executionsLikeQuery(api: Api, wanted: Wanted) {
  return queryOptions({
    queryKey: [...listKey, wanted],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/ai-workflows/api/executions', {
          signal,
          params: { query: { order: 'newest', page: 1, ...wanted } },
        }),
      ),
    ...(wanted.status === 'queued' ? { refetchInterval: waitingMs } : {}),
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

/** Requests of these two queries count against the quota they show, so they run once and on demand. */
const countedKey = ['overview', 'counted'] as const
const asked = { staleTime: 300_000, refetchOnWindowFocus: false } as const

export function quotaQuery(api: Api) {
  return queryOptions({
    queryKey: [...countedKey, 'quota'],
    queryFn: ({ signal }) => bodyOf(api.client.GET('/ai-orchestra/api/quotas/current', { signal })),
    ...asked,
  })
}

export function liveStatusQuery(api: Api) {
  return queryOptions({
    queryKey: [...countedKey, 'live-status'],
    queryFn: ({ signal }) => bodyOf(api.client.GET('/ai-orchestra/api/live-status', { signal })),
    ...asked,
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
