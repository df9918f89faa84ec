import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'
import { pageSize } from '../../api/read-all.ts'
import type { paths } from '../../api/schema.generated.ts'
import { readSort } from '../../parts/table-sort.ts'
import { resolveRange } from '../../parts/time-range.ts'
import { type ExecutionSearch, executionSorts, listOf } from './execution-search.ts'

type ListFilter = NonNullable<paths['/ai-workflows/api/executions/counts']['get']['parameters']['query']>

/** The filter of the API for the search parameters at a moment. */
function apiFilter(search: ExecutionSearch, now: Date): ListFilter {
  const { status, flow, trigger, account, version, error, min, max, id } = search
  return {
    ...resolveRange(search, now),
    ...(status === undefined ? {} : { state: listOf(status) as NonNullable<ListFilter['state']> }),
    ...(flow === undefined ? {} : flow.includes(',') ? { flow_ids: [...listOf(flow)] } : { flow_id: flow }),
    ...(trigger === undefined ? {} : { trigger: listOf(trigger) as NonNullable<ListFilter['trigger']> }),
    ...(account === undefined ? {} : { account }),
    ...(version === undefined ? {} : { flow_version: version }),
    ...(error === undefined ? {} : { error_code: error }),
    ...(min === undefined ? {} : { min_duration: min }),
    ...(max === undefined ? {} : { max_duration: max }),
    ...(id === undefined ? {} : { search: id }),
  }
}

/** The rows of one request. */
const rowsPerPage = 100

/** The newest executions of a workflow. */
export function executionsQuery(api: Api, { flow }: { readonly flow: string }) {
  return queryOptions({
    queryKey: ['executions', 'list', flow],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/ai-workflows/api/executions', {
          signal,
          params: { query: { order: 'newest', limit: pageSize, flow_id: flow } },
        }),
      ),
  })
}

/** Where the next rows begin: after an execution, or in a list with another order at a page. */
type Position = { readonly before: string } | { readonly page: number; readonly asOf: string | null }

/** The matching executions in the chosen order, as far as they are loaded. */
export function executionRowsQuery(api: Api, search: ExecutionSearch) {
  const sort = readSort(search.sort, executionSorts) ?? { by: 'created', descending: true }
  const isNewestFirst = sort.by === 'created' && sort.descending
  return infiniteQueryOptions({
    // A range such as the last hour is resolved when it is read: the list stays the same one.
    queryKey: ['executions', 'rows', { ...search, hide: undefined }],
    queryFn: ({ signal, pageParam }) => {
      const query = {
        ...apiFilter(search, new Date()),
        limit: rowsPerPage,
        ...(isNewestFirst
          ? { order: 'newest' as const }
          : {
              sort: sort.by as (typeof executionSorts)[number],
              direction: sort.descending ? ('desc' as const) : ('asc' as const),
            }),
        ...positionQuery(pageParam),
      }
      return bodyOf(api.client.GET('/ai-workflows/api/executions', { signal, params: { query } }))
    },
    initialPageParam: undefined as Position | undefined,
    getNextPageParam: ({ executions, as_of: asOf }, _, last): Position | undefined => {
      const oldest = executions.at(-1)
      if (oldest === undefined || executions.length < rowsPerPage) return undefined
      if (isNewestFirst) return { before: oldest.execution_id }
      return { page: last !== undefined && 'page' in last ? last.page + 1 : 2, asOf }
    },
    placeholderData: keepPreviousData,
  })
}

function positionQuery(position: Position | undefined) {
  if (position === undefined) return {}
  if ('before' in position) return { before: position.before }
  return { page: position.page, ...(position.asOf === null ? {} : { as_of: position.asOf }) }
}

/** Counts are read at this pace, and not for each event: with the rows they would exceed the rate limit of a session. */
const countsRefreshMs = 5_000

/** The numbers of executions by state, workflow and error, for the filters. */
export function executionCountsQuery(api: Api, search: ExecutionSearch) {
  return queryOptions({
    queryKey: ['executions', 'counts', { ...search, sort: undefined, hide: undefined }],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/ai-workflows/api/executions/counts', {
          signal,
          params: { query: apiFilter(search, new Date()) },
        }),
      ),
    refetchInterval: countsRefreshMs,
    placeholderData: keepPreviousData,
  })
}

/** A selection of all matches ends here. */
export const maxSelected = 1000

/** Reads the matching executions, newest first, up to the largest selection. */
export async function readMatching(api: Api, search: ExecutionSearch): Promise<readonly ExecutionEntry[]> {
  const filter = apiFilter(search, new Date())
  const found: ExecutionEntry[] = []
  for (;;) {
    const before = found.at(-1)?.execution_id
    const { executions } = await bodyOf(
      api.client.GET('/ai-workflows/api/executions', {
        params: {
          query: {
            ...filter,
            order: 'newest',
            limit: Math.min(200, maxSelected - found.length),
            ...(before === undefined ? {} : { before }),
          },
        },
      }),
    )
    found.push(...executions)
    if (executions.length < 200 || found.length >= maxSelected) return found
  }
}

/** The address of the file with all matches. */
export function exportAddress(search: ExecutionSearch, format: 'csv' | 'ndjson', now: Date): string {
  const entries = Object.entries(apiFilter(search, now)).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)]),
  )
  return `/ai-workflows/api/executions/export?${new URLSearchParams([['format', format], ...entries])}`
}

interface TraceAddress {
  readonly execution: string
  readonly item?: number
  /** A container, whose scopes are listed, or a scope, whose steps are; absent for the workflow itself. */
  readonly within?: string | undefined
  /** The page of scopes, from 1. */
  readonly page?: number
}

/** The trace of an execution, or of a part of it. */
export function traceQuery(api: Api, { execution, item = 0, within, page = 1 }: TraceAddress) {
  return queryOptions({
    queryKey: ['executions', 'trace', execution, item, ...(within === undefined ? [] : [within, page])],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/ai-workflows/api/executions/{execution_id}/trace', {
          signal,
          params: {
            path: { execution_id: execution },
            query: {
              item,
              ...(within === undefined ? {} : { within, limit: pageSize, offset: (page - 1) * pageSize }),
            },
          },
        }),
      ),
    placeholderData: (before) =>
      before?.execution_id === execution && before.within === (within ?? null) ? before : undefined,
  })
}

/** Cost, progress and error of an execution. */
export function executionStatusQuery(api: Api, execution: string) {
  return queryOptions({
    queryKey: ['executions', 'status', execution],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/ai-workflows/api/execution-status/{execution_id}', {
          signal,
          params: { path: { execution_id: execution }, query: { include_memory: false } },
        }),
      ),
  })
}

/** A step with its whole input and output. */
export function stepQuery(
  api: Api,
  { execution, step, item }: { execution: string; step: string; item: number },
) {
  return queryOptions({
    queryKey: ['executions', 'step', execution, step, item],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/ai-workflows/api/executions/{execution_id}/steps/{step_id}', {
          signal,
          params: { path: { execution_id: execution, step_id: step }, query: { item } },
        }),
      ),
  })
}

/** The response of a finished execution, with its result. */
export function resultQuery(api: Api, execution: string) {
  return queryOptions({
    queryKey: ['executions', 'result', execution],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/ai-workflows/api/executions/{execution_id}', {
          signal,
          params: { path: { execution_id: execution } },
        }),
      ),
  })
}

/** The input of an execution. */
export function inputQuery(api: Api, execution: string) {
  return queryOptions({
    queryKey: ['executions', 'input', execution],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/ai-workflows/api/executions/{execution_id}/input', {
          signal,
          params: { path: { execution_id: execution } },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

type AnswerOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never

type ExecutionList = AnswerOf<'/ai-workflows/api/executions'>

export type ExecutionCounts = AnswerOf<'/ai-workflows/api/executions/counts'>
export type ExecutionEntry = ExecutionList['executions'][number]
export type Trace = AnswerOf<'/ai-workflows/api/executions/{execution_id}/trace'>
export type TracedStep = Trace['steps'][number]
export type StepDetail = AnswerOf<'/ai-workflows/api/executions/{execution_id}/steps/{step_id}'>
export type ExecutionStatus = AnswerOf<'/ai-workflows/api/execution-status/{execution_id}'>
