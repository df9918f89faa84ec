import { queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../../api/api.ts'
import { readAll } from '../../../api/read-all.ts'
import type { ExecutionEntry } from '../../executions/execution-queries.ts'

/** Nothing tells of an execution that begins to wait, so what waits is asked for. */
const waitingMs = 10_000

/** Lists of executions stand under this key, which news renew. */
const listKey = ['executions', 'list', 'overview'] as const

interface Wanted {
  readonly status?: ExecutionEntry['status']
  readonly account?: string
  /** Created then or later. */
  readonly since?: string
  readonly limit: number
}

/** The newest executions of a kind, and how many there are. */
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

/** Everything of these two counts against the very quota they tell, so they are asked for once, and on demand. */
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

/** All schedules of an account that are turned on: it can have 200, so this is one page or two. */
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
