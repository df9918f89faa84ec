import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { pageSize, readAll } from '../../api/read-all.ts'
import type { paths } from '../../api/schema.generated.ts'
import type { AgentSearch } from './agent-search.ts'

/** All agents, or those of one category, with their metrics; and the number of agents per category. */
export function agentsQuery(api: Api, { category }: Pick<AgentSearch, 'category'>) {
  return queryOptions({
    queryKey: ['agents', 'list', category],
    queryFn: async ({ signal }) => {
      let categories: readonly AgentCategory[] = []
      const agents = await readAll(async (page) => {
        const answer = await bodyOf(
          api.client.GET('/ai-orchestra/api/agents', {
            signal,
            params: {
              query: {
                ...page,
                include_metrics: true,
                sort: 'name',
                ...(category === undefined ? {} : { category }),
              },
            },
          }),
        )
        categories = answer.categories
        return { data: answer.agents, total: answer.total }
      })
      return { agents, categories }
    },
    placeholderData: keepPreviousData,
  })
}

/** An agent, at its current or a given version. */
export function agentQuery(api: Api, { id, version }: { id: string; version?: number | undefined }) {
  return queryOptions({
    queryKey: ['agents', 'one', id, version],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/ai-orchestra/api/agents/{id}', {
          signal,
          params: { path: { id }, query: version === undefined ? {} : { version } },
        }),
      ),
  })
}

export function agentVersionsQuery(api: Api, { id, page }: { id: string; page: number }) {
  return queryOptions({
    queryKey: ['agents', 'versions', id, page],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/ai-orchestra/api/agents/{id}/versions', {
          signal,
          params: { path: { id }, query: { page, limit: pageSize } },
        }),
      ),
    placeholderData: keepPreviousData,
  })
}

/** The ratings of an agent. */
export function agentRatingQuery(api: Api, id: string) {
  return queryOptions({
    queryKey: ['agents', 'rating', id],
    queryFn: ({ signal }) =>
      bodyOf(api.client.GET('/ai-orchestra/api/agents/{id}/rating', { signal, params: { path: { id } } })),
  })
}

/** The metrics of one agent. */
export function agentAnalyticsQuery(api: Api, id: string) {
  return queryOptions({
    queryKey: ['agents', 'analytics', id],
    queryFn: async ({ signal }) => {
      const { analytics } = await bodyOf(
        api.client.GET('/ai-orchestra/api/agent-analytics', {
          signal,
          params: { query: { agent_ids: [id] } },
        }),
      )
      return analytics
    },
  })
}

type AnswerOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never

type AgentList = AnswerOf<'/ai-orchestra/api/agents'>

export type AgentEntry = AgentList['agents'][number]
export type AgentCategory = AgentList['categories'][number]
export type WholeAgent = AnswerOf<'/ai-orchestra/api/agents/{id}'>
export type AgentVersion = AnswerOf<'/ai-orchestra/api/agents/{id}/versions'>['versions'][number]
export type AgentRating = AnswerOf<'/ai-orchestra/api/agents/{id}/rating'>
export type AgentAnalytics = AnswerOf<'/ai-orchestra/api/agent-analytics'>['analytics']

/** Maps agent ids to labels; undefined while loading. A deleted agent keeps its id. */
export function useAgentLabels(): ((id: string) => string) | undefined {
  const { data, isPending } = useQuery(agentsQuery(useApi(), {}))
  if (isPending) return undefined
  const labels = new Map(data?.agents.map(({ id, label }) => [id, label]))
  return (id) => labels.get(id) ?? id
}
