import type { paths } from '../../api/schema.generated.ts'

type AnswerOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never

export type Health = AnswerOf<'/api/llm/health'>
export type Service = Health['services'][number]
export type ServiceName = Service['name']
export type LiveMetrics = AnswerOf<'/admin/llm/metrics/live'>
export type ServiceStatus = AnswerOf<'/admin/llm/status/{status_type}'>
export type ServiceHistory = AnswerOf<'/admin/llm/history'>['services'][number]
export type MetricsSeries = AnswerOf<'/admin/llm/metrics/series'>
export type ModelSpeed = AnswerOf<'/admin/llm/metrics/models'>['models'][number]
export type StatusConfig = AnswerOf<'/admin/llm/config'>
export type ListedIncident = AnswerOf<'/admin/llm/incidents'>['incidents'][number]
export type Incident = AnswerOf<'/admin/llm/incidents/{id}'>
export type IncidentUpdate = Incident['updates'][number]
export type NewIncident = NonNullable<
  paths['/admin/llm/incidents']['post']['requestBody']
>['content']['application/json']
