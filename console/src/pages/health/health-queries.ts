import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'
import type { paths } from '../../api/schema.generated.ts'
import type { HealthRange } from './health-search.ts'

/** The cache key prefix of all status queries. */
export const statusKey = ['status'] as const

/** The server allows caching; after an event the client needs a fresh response. */
const cache = 'no-store'

/** The polling interval of metrics: no event announces them. */
const measurementsMs = 60_000
const drawerMs = 30_000

/** The health of all services. Events trigger a refetch. */
export function healthQuery(api: Api) {
  return queryOptions({
    queryKey: [...statusKey, 'health'],
    queryFn: ({ signal }) => bodyOf(api.client.GET('/api/llm/health', { signal, cache })),
  })
}

/** The live metrics of the platform. */
export function liveMetricsQuery(api: Api) {
  return queryOptions({
    queryKey: [...statusKey, 'live'],
    queryFn: ({ signal }) => bodyOf(api.client.GET('/admin/llm/metrics/live', { signal, cache })),
    refetchInterval: measurementsMs,
  })
}

/** The history of all services. */
export function historyQuery(api: Api, range: HealthRange) {
  return queryOptions({
    queryKey: [...statusKey, 'history', range],
    queryFn: ({ signal }) =>
      bodyOf(api.client.GET('/admin/llm/history', { signal, cache, params: { query: { range } } })),
    placeholderData: keepPreviousData,
    refetchInterval: measurementsMs,
  })
}

/** Response times and tokens over time. */
export function seriesQuery(api: Api, range: HealthRange) {
  return queryOptions({
    queryKey: [...statusKey, 'series', range],
    queryFn: ({ signal }) =>
      bodyOf(api.client.GET('/admin/llm/metrics/series', { signal, cache, params: { query: { range } } })),
    placeholderData: keepPreviousData,
    refetchInterval: measurementsMs,
  })
}

/** The response times of each model. Single calls are stored for a shorter time than the history, so a week is the maximum. */
export function modelSpeedsQuery(api: Api, range: '24h' | '7d') {
  return queryOptions({
    queryKey: [...statusKey, 'models', range],
    queryFn: ({ signal }) =>
      bodyOf(api.client.GET('/admin/llm/metrics/models', { signal, cache, params: { query: { range } } })),
    placeholderData: keepPreviousData,
    refetchInterval: measurementsMs,
  })
}

/** One service with its detailed metrics. */
export function serviceQuery(api: Api, name: ServiceStatus['name']) {
  return queryOptions({
    queryKey: [...statusKey, 'service', name],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/admin/llm/status/{status_type}', {
          signal,
          cache,
          params: { path: { status_type: name } },
        }),
      ),
    refetchInterval: drawerMs,
  })
}

/** The settings of the health checks. */
export function statusConfigQuery(api: Api) {
  return queryOptions({
    queryKey: [...statusKey, 'config'],
    queryFn: ({ signal }) => bodyOf(api.client.GET('/admin/llm/config', { signal })),
  })
}

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
