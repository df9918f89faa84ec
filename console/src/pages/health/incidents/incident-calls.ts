import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../../api/api.ts'
import { pageSize } from '../../../api/read-all.ts'
import { type ServiceName, statusKey } from '../health-queries.ts'

interface IncidentList {
  readonly status: 'open' | 'closed' | undefined
  readonly page: number
}

/** A page of incidents and maintenance, newest first. */
export function incidentsQuery(api: Api, { status, page }: IncidentList) {
  const query = { page, limit: pageSize, ...(status === undefined ? {} : { status }) }
  return queryOptions({
    queryKey: [...statusKey, 'incidents', 'list', status ?? null, page],
    queryFn: ({ signal }) => bodyOf(api.client.GET('/admin/llm/incidents', { signal, params: { query } })),
    placeholderData: keepPreviousData,
  })
}

/** The number of incidents a drawer has space for. */
const maxOfService = 10

/** The last incidents of one service. */
export function serviceIncidentsQuery(api: Api, service: ServiceName) {
  const query = { service, limit: maxOfService }
  return queryOptions({
    queryKey: [...statusKey, 'incidents', 'of', service],
    queryFn: ({ signal }) => bodyOf(api.client.GET('/admin/llm/incidents', { signal, params: { query } })),
  })
}

/** One incident with all its updates. */
export function incidentQuery(api: Api, id: string) {
  return queryOptions({
    queryKey: [...statusKey, 'incidents', 'one', id],
    queryFn: ({ signal }) =>
      bodyOf(api.client.GET('/admin/llm/incidents/{id}', { signal, params: { path: { id } } })),
  })
}
