import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'
import { readAll } from '../../api/read-all.ts'
import type { paths } from '../../api/schema.generated.ts'
import { type AdviceOptions, requestFor } from './recommend/advice-options.ts'

/** All workflows with agent steps, and their agents. */
export function allWorkflowsQuery(api: Api) {
  return queryOptions({
    queryKey: ['workflows', 'all'],
    queryFn: ({ signal }) =>
      readAll(async (query) => {
        const { workflows, total } = await bodyOf(
          api.client.GET('/ai-orchestra/api/workflows', { signal, params: { query } }),
        )
        return { data: workflows, total }
      }),
  })
}

/** The recommended agents, with reasons. */
export function adviceQuery(api: Api, options: AdviceOptions) {
  return queryOptions({
    queryKey: ['workflows', 'advice', options],
    queryFn: ({ signal }) =>
      bodyOf(api.client.POST('/ai-orchestra/api/agents/recommend', { signal, body: requestFor(options) })),
    placeholderData: keepPreviousData,
  })
}

type AnswerOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never

export type WorkflowEntry = AnswerOf<'/ai-orchestra/api/workflows'>['workflows'][number]

type Recommend = paths['/ai-orchestra/api/agents/recommend']['post']
export type AdviceRequest = Recommend['requestBody']['content']['application/json']
export type Advice = Recommend['responses'][200]['content']['application/json']
export type Recommendation = Advice['recommendations'][number]
