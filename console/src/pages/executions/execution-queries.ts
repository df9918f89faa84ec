import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'
import { pageSize } from '../../api/read-all.ts'
import type { paths } from '../../api/schema.generated.ts'
import type { ExecutionSearch } from './execution-search.ts'

/** The matching executions, newest first. */
export function executionsQuery(api: Api, { status, flow, id, page = 1, as_of: asOf }: ExecutionSearch) {
  return queryOptions({
    queryKey: ['executions', 'list', status, flow, id, page, asOf],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/ai-workflows/api/executions', {
          signal,
          params: {
            query: {
              order: 'newest',
              page,
              limit: pageSize,
              ...(status === undefined ? {} : { status }),
              ...(flow === undefined ? {} : { flow_id: flow }),
              ...(id === undefined ? {} : { search: id }),
              ...(asOf === undefined ? {} : { as_of: asOf }),
            },
          },
        }),
      ),
    placeholderData: keepPreviousData,
  })
}

/** The trace of an execution. */
export function traceQuery(api: Api, { execution, item = 0 }: { execution: string; item?: number }) {
  return queryOptions({
    queryKey: ['executions', 'trace', execution, item],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/ai-workflows/api/executions/{execution_id}/trace', {
          signal,
          params: { path: { execution_id: execution }, query: { item } },
        }),
      ),
    placeholderData: (before) => (before?.execution_id === execution ? before : undefined),
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

export type ExecutionEntry = ExecutionList['executions'][number]
export type Trace = AnswerOf<'/ai-workflows/api/executions/{execution_id}/trace'>
export type TracedStep = Trace['steps'][number]
export type StepDetail = AnswerOf<'/ai-workflows/api/executions/{execution_id}/steps/{step_id}'>
export type ExecutionStatus = AnswerOf<'/ai-workflows/api/execution-status/{execution_id}'>
