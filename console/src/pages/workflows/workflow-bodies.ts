import type { paths } from '../../api/schema.generated.ts'

type AnswerOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never

export type WorkflowEntry = AnswerOf<'/ai-orchestra/api/workflows'>['workflows'][number]
export type WholeWorkflow = AnswerOf<'/ai-orchestra/api/workflows/{id}'>

type Recommend = paths['/ai-orchestra/api/agents/recommend']['post']
export type AdviceRequest = Recommend['requestBody']['content']['application/json']
export type Advice = Recommend['responses'][200]['content']['application/json']
export type Recommendation = Advice['recommendations'][number]
