import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'
import type { paths } from '../../api/schema.generated.ts'
import type { Days } from './ranges.ts'

/** The number of calls loaded at once. */
const callsAtOnce = 20

interface UsageQuery extends Days {
  /** The account; the user's own when undefined, all accounts with `all`. */
  readonly account: string | undefined
}

/** Usage totals, grouped by one or two dimensions. */
export function usageQuery(
  api: Api,
  { from, to, account, groupBy }: UsageQuery & { readonly groupBy: string },
) {
  const query = { from, to, group_by: groupBy, ...(account === undefined ? {} : { account }) }
  return queryOptions({
    queryKey: ['usage', 'totals', account ?? null, groupBy, from, to],
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
  readonly outcome: Outcome | undefined
}

/** Single calls, newest first, page by page. */
export function callsQuery(api: Api, { from, to, account, model, outcome }: CallFilter) {
  return infiniteQueryOptions({
    queryKey: ['usage', 'calls', account ?? null, from, to, model ?? null, outcome ?? null],
    queryFn: ({ signal, pageParam: after }) => {
      const query = {
        limit: callsAtOnce,
        from,
        to,
        ...(account === undefined ? {} : { account }),
        ...(model === undefined ? {} : { model }),
        ...(outcome === undefined ? {} : { outcome }),
        ...(after === null ? {} : { after }),
      }
      return bodyOf(api.client.GET('/api/v1/usage/calls', { signal, params: { query } }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
}

/** One call by its id; null when the account has no such call. */
export function callQuery(api: Api, id: string, account: string | undefined) {
  return queryOptions({
    queryKey: ['usage', 'call', account ?? null, id],
    queryFn: ({ signal }) => readCall(api, id, { account, signal }),
  })
}

/** The API has no request for a single call: the list after the next higher id starts with the call. */
export async function readCall(
  api: Api,
  id: string,
  { account, signal }: { readonly account: string | undefined; readonly signal: AbortSignal },
) {
  const query = { limit: 1, after: idAfter(id), ...(account === undefined ? {} : { account }) }
  const { data } = await bodyOf(api.client.GET('/api/v1/usage/calls', { signal, params: { query } }))
  return data.find((call) => call.id === id) ?? null
}

function idAfter(id: string): string {
  const next = BigInt(`0x${id.replaceAll('-', '')}`) + 1n
  return next
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export type UsageReport = paths['/api/v1/usage']['get']['responses'][200]['content']['application/json']
export type UsageTotals = UsageReport['totals']
export type UsageRow = UsageReport['rows'][number]
export type Budget = paths['/api/v1/usage/budget']['get']['responses'][200]['content']['application/json']
export type Call =
  paths['/api/v1/usage/calls']['get']['responses'][200]['content']['application/json']['data'][number]
export type Outcome = NonNullable<
  NonNullable<paths['/api/v1/usage/calls']['get']['parameters']['query']>['outcome']
>
