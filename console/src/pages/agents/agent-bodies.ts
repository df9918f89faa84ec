import type { paths } from '../../api/schema.generated.ts'

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
