import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'
import type { paths } from '../../api/schema.generated.ts'
import type { InterfaceUsageDays } from './interface-usage-search.ts'

export type InterfaceUsage =
  paths['/admin/llm/interface-usage']['get']['responses'][200]['content']['application/json']

/** How the interface was used, today among the days. */
export function interfaceUsageQuery(api: Api, days: InterfaceUsageDays) {
  return queryOptions({
    queryKey: ['interface-usage', days],
    queryFn: ({ signal }) =>
      bodyOf(api.client.GET('/admin/llm/interface-usage', { signal, params: { query: { days } } })),
    placeholderData: keepPreviousData,
  })
}
