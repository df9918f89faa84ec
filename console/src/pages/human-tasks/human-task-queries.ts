import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'
import { pageSize } from '../../api/read-all.ts'
import type { paths } from '../../api/schema.generated.ts'
import type { HumanTaskSearch } from './human-task-search.ts'

/** The human tasks that the account may see, the oldest first. */
export function humanTasksQuery(
  api: Api,
  { state = 'open', assigned, page = 1 }: Omit<HumanTaskSearch, 'task'>,
) {
  return queryOptions({
    queryKey: ['human-tasks', 'list', state, assigned, page],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/ai-workflows/api/human-tasks', {
          signal,
          params: {
            query: {
              page,
              limit: pageSize,
              ...(state === 'all' ? {} : { state }),
              ...(assigned === undefined ? {} : { assigned }),
            },
          },
        }),
      ),
    placeholderData: keepPreviousData,
  })
}

export function humanTaskQuery(api: Api, id: string) {
  return queryOptions({
    queryKey: ['human-tasks', 'one', id],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/ai-workflows/api/human-tasks/{task_id}', {
          signal,
          params: { path: { task_id: id } },
        }),
      ),
  })
}

export type HumanTaskEntry =
  paths['/ai-workflows/api/human-tasks/{task_id}']['get']['responses'][200]['content']['application/json']
