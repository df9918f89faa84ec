import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'
import { pageSize, readAll } from '../../api/read-all.ts'
import type { paths } from '../../api/schema.generated.ts'
import type { ScheduleSearch } from './schedule-search.ts'

export type Schedule =
  paths['/ai-workflows/api/schedules/{id}']['get']['responses'][200]['content']['application/json']

/** Schedules, oldest first. */
export function schedulesQuery(api: Api, { flow, page = 1 }: Pick<ScheduleSearch, 'flow' | 'page'>) {
  const query = { page, limit: pageSize, ...(flow === undefined ? {} : { flow_id: flow }) }
  return queryOptions({
    queryKey: ['schedules', 'list', flow, page],
    queryFn: ({ signal }) =>
      bodyOf(api.client.GET('/ai-workflows/api/schedules', { signal, params: { query } })),
    placeholderData: keepPreviousData,
  })
}

/** One schedule, with its next five runs. */
export function scheduleQuery(api: Api, id: string) {
  return queryOptions({
    queryKey: ['schedules', 'one', id],
    queryFn: ({ signal }) =>
      bodyOf(api.client.GET('/ai-workflows/api/schedules/{id}', { signal, params: { path: { id } } })),
  })
}

/** The next runs of a cron expression; the server reports an invalid one. */
export function previewQuery(api: Api, { cron, timezone }: { cron: string; timezone: string }) {
  return queryOptions({
    queryKey: ['schedules', 'preview', cron, timezone],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.POST('/ai-workflows/api/schedules/preview', {
          signal,
          body: { cron, timezone, count: 5 },
        }),
      ),
    enabled: cron !== '' && timezone !== '',
    staleTime: 30_000,
  })
}

/** All flows to choose from, with their labels. */
export function flowChoicesQuery(api: Api) {
  return queryOptions({
    queryKey: ['flows', 'choices'],
    queryFn: async ({ signal }) => {
      const flows = await readAll(async ({ limit, page }) => {
        const query = { limit, page }
        const { flows: data, total } = await bodyOf(
          api.client.GET('/ai-workflows/api/flows', { signal, params: { query } }),
        )
        return { data, total }
      })
      return flows
        .map(({ id, label }) => ({ value: id, label }))
        .toSorted((one, other) => one.label.localeCompare(other.label))
    },
  })
}
