import { queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'
import type { paths } from '../../api/schema.generated.ts'

/** The settings that the account may change. */
export function settingsQuery(api: Api) {
  return queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) => bodyOf(api.client.GET('/api/v1/settings', { signal })),
  })
}

export type Settings = paths['/api/v1/settings']['get']['responses'][200]['content']['application/json']
export type Setting = Settings['settings'][number]
