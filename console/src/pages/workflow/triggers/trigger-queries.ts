import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../../api/api.ts'
import { pageSize, readAll } from '../../../api/read-all.ts'
import type { paths } from '../../../api/schema.generated.ts'

/** All triggers of a workflow that the account may see. */
export function triggersQuery(api: Api, flow: string) {
  return queryOptions({
    queryKey: ['triggers', 'list', flow],
    queryFn: ({ signal }) =>
      readAll(async (page) => {
        const { triggers, total } = await bodyOf(
          api.client.GET('/ai-workflows/api/triggers', {
            signal,
            params: { query: { ...page, flow_id: flow } },
          }),
        )
        return { data: triggers, total }
      }),
  })
}

/** The requests and events of a trigger in the last seven days, the newest first. */
export function triggerDeliveriesQuery(api: Api, { id, page }: { id: string; page: number }) {
  return queryOptions({
    queryKey: ['triggers', 'deliveries', id, page],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/ai-workflows/api/triggers/{id}/deliveries', {
          signal,
          params: { path: { id }, query: { page, limit: pageSize } },
        }),
      ),
    placeholderData: keepPreviousData,
  })
}

type Triggers =
  paths['/ai-workflows/api/triggers']['get']['responses'][200]['content']['application/json']['triggers']
type Deliveries =
  paths['/ai-workflows/api/triggers/{id}/deliveries']['get']['responses'][200]['content']['application/json']['deliveries']

export type Trigger = Triggers[number]
export type TriggerDelivery = Deliveries[number]
export type TriggerBody = NonNullable<
  paths['/ai-workflows/api/triggers']['post']['requestBody']
>['content']['application/json']
