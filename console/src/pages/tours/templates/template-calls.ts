import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../api/api.ts'
import type { paths } from '../../../api/schema.generated.ts'
import { tourAnswer } from '../list/tour-calls.ts'

const path = '/admin/structure/recipe-onboarding/tours/templates'

export type Template =
  paths[typeof path]['get']['responses'][200]['content']['application/json']['templates'][number]

/** The tour templates. They are built in and never change. */
export function templatesQuery(api: Api) {
  return queryOptions({
    queryKey: ['tours', 'templates'],
    queryFn: async ({ signal }) => (await tourAnswer(api.client.GET(path, { signal }))).templates,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function templateQuery(api: Api, template: string) {
  return queryOptions({
    queryKey: ['tours', 'templates', template],
    queryFn: async ({ signal }) => {
      const params = { path: { template } }
      return (await tourAnswer(api.client.GET(`${path}/{template}`, { signal, params }))).template
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}
