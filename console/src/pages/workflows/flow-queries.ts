import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'
import { pageSize, readAll } from '../../api/read-all.ts'
import type { paths } from '../../api/schema.generated.ts'
import type { Timeframe } from '../overview/overview-search.ts'
import type { WorkflowSearch } from './workflow-search.ts'

/** All matching flows, with their newest executions and their statistics. */
export function flowsQuery(api: Api, { search, tag }: Pick<WorkflowSearch, 'search' | 'tag'>) {
  return queryOptions({
    queryKey: ['flows', 'list', search, tag],
    queryFn: ({ signal }) =>
      readAll(async (page) => {
        const { flows, total } = await bodyOf(
          api.client.GET('/ai-workflows/api/flows', {
            signal,
            params: {
              query: {
                ...page,
                runs: true,
                stats: true,
                ...(search === undefined ? {} : { search }),
                ...(tag === undefined ? {} : { tag }),
              },
            },
          }),
        )
        return { data: flows, total }
      }),
    placeholderData: keepPreviousData,
  })
}

/** A flow, at its current or a given version. */
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

/** The statistics of a flow in a period. */
export function flowStatsQuery(api: Api, { id, timeframe }: { id: string; timeframe: Timeframe }) {
  return queryOptions({
    queryKey: ['flows', 'stats', id, timeframe],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/ai-workflows/api/flows/{id}/stats', {
          signal,
          params: { path: { id }, query: { timeframe } },
        }),
      ),
    placeholderData: keepPreviousData,
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

/** The differences between two versions. */
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

type AnswerOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never

export type FlowEntry = AnswerOf<'/ai-workflows/api/flows'>['flows'][number]
export type WholeFlow = AnswerOf<'/ai-workflows/api/flows/{id}'>
export type FlowVersion = AnswerOf<'/ai-workflows/api/flows/{id}/versions'>['versions'][number]
export type FlowDiff = AnswerOf<'/ai-workflows/api/flows/{id}/diff'>

/** The fields common to all step types. */
export interface FlowStep {
  readonly id: string
  readonly type: string
  readonly label?: string
  readonly dependencies?: readonly string[]
}

/** The steps of a definition, which the API describes as free-form. */
export function stepsOf({
  flow_definition: definition,
}: Pick<WholeFlow, 'flow_definition'>): readonly FlowStep[] {
  const { steps } = definition
  return Array.isArray(steps) ? (steps as readonly FlowStep[]) : []
}
