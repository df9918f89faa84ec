import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from './api.ts'
import { pageSize } from './read-all.ts'
import type { AuditType } from './responses.ts'

export interface AuditFilter {
  readonly type: AuditType | undefined
  readonly account: string | undefined
}

/** The audit log, newest entry first; each further page is older. */
export function auditQuery(api: Api, { type, account }: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ['audit', 'list', type ?? null, account ?? null],
    queryFn: ({ signal, pageParam: before }) => {
      const query = {
        limit: pageSize,
        ...(before === undefined ? {} : { before }),
        ...(type === undefined ? {} : { type }),
        ...(account === undefined ? {} : { account }),
      }
      return bodyOf(api.client.GET('/api/v1/audit', { signal, params: { query } }))
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ data }) => (data.length < pageSize ? undefined : data.at(-1)?.id),
    placeholderData: keepPreviousData,
  })
}

/** One audit entry by its id, or null when the log does not contain it. */
export function auditEntryQuery(api: Api, id: number) {
  return queryOptions({
    queryKey: ['audit', 'one', id],
    queryFn: async ({ signal }) => {
      const query = { before: id + 1, limit: 1 }
      const { data } = await bodyOf(api.client.GET('/api/v1/audit', { signal, params: { query } }))
      return data.find((entry) => entry.id === id) ?? null
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}
