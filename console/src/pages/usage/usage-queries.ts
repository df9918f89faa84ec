import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'
import { ApiFailure } from '../../api/api-failure.ts'
import type { paths } from '../../api/schema.generated.ts'
import type { Sort } from '../../parts/table-sort.ts'
import type { Days } from './ranges.ts'

/** The number of calls loaded at once. */
const callsAtOnce = 20

interface UsageQuery extends Days {
  /** The account; the user's own when undefined, all accounts with `all`. */
  readonly account: string | undefined
  /** The API key; all when undefined. */
  readonly key?: string | undefined
}

/** Usage totals, grouped by one or two dimensions. */
export function usageQuery(
  api: Api,
  { from, to, account, key, groupBy }: UsageQuery & { readonly groupBy: string },
) {
  const query = {
    from,
    to,
    group_by: groupBy,
    ...(account === undefined ? {} : { account }),
    ...(key === undefined ? {} : { key }),
  }
  return queryOptions({
    queryKey: ['usage', 'totals', account ?? null, key ?? null, groupBy, from, to],
    queryFn: ({ signal }) => bodyOf(api.client.GET('/api/v1/usage', { signal, params: { query } })),
    placeholderData: keepPreviousData,
  })
}

export function budgetQuery(api: Api) {
  return queryOptions({
    queryKey: ['usage', 'budget'],
    queryFn: ({ signal }) => bodyOf(api.client.GET('/api/v1/usage/budget', { signal })),
  })
}

export interface CallFilter extends UsageQuery {
  readonly model: string | undefined
  readonly tag: string | undefined
  readonly outcome: Outcome | undefined
}

export const callSorts = [
  'started',
  'cost',
  'duration',
  'first_token',
  'input_tokens',
  'output_tokens',
] as const

const firstPage: CallPageParam = {}

/** Single calls, newest first unless sorted, page by page. */
export function callsQuery(api: Api, filter: CallFilter, sort: Sort | undefined) {
  const { from, to, account, key, model, tag, outcome } = filter
  const by = callSorts.find((name) => name === sort?.by)
  return infiniteQueryOptions({
    queryKey: ['usage', 'calls', filter, sort ?? null],
    queryFn: ({ signal, pageParam }) => {
      const query = {
        limit: callsAtOnce,
        from,
        to,
        ...(account === undefined ? {} : { account }),
        ...(key === undefined ? {} : { key }),
        ...(model === undefined ? {} : { model }),
        ...(tag === undefined ? {} : { tag }),
        ...(outcome === undefined ? {} : { outcome }),
        ...(by === undefined
          ? {}
          : ({ sort: by, order: sort?.descending === true ? 'desc' : 'asc' } as const)),
        ...pageParam,
      }
      return bodyOf(api.client.GET('/api/v1/usage/calls', { signal, params: { query } }))
    },
    initialPageParam: firstPage,
    // In the order of time a page starts after the last call; in another order pages are counted as of the first one.
    getNextPageParam: ({ next, total, sorted_among: among, as_of }, pages): CallPageParam | undefined => {
      if (next !== null) return { after: next }
      const isSorted = by !== undefined && by !== 'started'
      return isSorted && pages.length * callsAtOnce < (among ?? total)
        ? { page: pages.length + 1, as_of: pages[0]?.as_of ?? as_of }
        : undefined
    },
    placeholderData: keepPreviousData,
  })
}

type CallPageParam = { readonly after?: string } | { readonly page: number; readonly as_of: string }

/** One call by its id; null when the account has no such call. */
export function callQuery(api: Api, id: string, account: string | undefined) {
  return queryOptions({
    queryKey: ['usage', 'call', account ?? null, id],
    queryFn: ({ signal }) => readCall(api, id, { signal }),
  })
}

/** One call with its route and its recorded content. */
export function callDetailsQuery(api: Api, id: string) {
  return queryOptions({
    queryKey: ['usage', 'call-details', id],
    queryFn: ({ signal }) =>
      bodyOf(api.client.GET('/api/v1/usage/calls/{id}', { signal, params: { path: { id } } })),
  })
}

/** The latest calls of a step. */
export function stepCallsQuery(api: Api, { execution, step }: { execution: string; step: string }) {
  const query = { execution, step, limit: 20 }
  return queryOptions({
    queryKey: ['usage', 'step-calls', execution, step],
    queryFn: ({ signal }) => bodyOf(api.client.GET('/api/v1/usage/calls', { signal, params: { query } })),
  })
}

/** A call; null when the account has no call with this id. */
export async function readCall(
  api: Api,
  id: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<Call | null> {
  try {
    return await bodyOf(api.client.GET('/api/v1/usage/calls/{id}', { signal, params: { path: { id } } }))
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return null
    throw error
  }
}

export type UsageReport = paths['/api/v1/usage']['get']['responses'][200]['content']['application/json']
export type UsageTotals = UsageReport['totals']
export type UsageRow = UsageReport['rows'][number]
export type Budget = paths['/api/v1/usage/budget']['get']['responses'][200]['content']['application/json']
export type Call =
  paths['/api/v1/usage/calls']['get']['responses'][200]['content']['application/json']['data'][number]
export type CallDetails =
  paths['/api/v1/usage/calls/{id}']['get']['responses'][200]['content']['application/json']
export type Outcome = NonNullable<
  NonNullable<paths['/api/v1/usage/calls']['get']['parameters']['query']>['outcome']
>
