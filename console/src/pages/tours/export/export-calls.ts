import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../api/api.ts'
import type { paths } from '../../../api/schema.generated.ts'
import { tourAnswer } from '../list/tour-calls.ts'

const path = '/admin/structure/recipe-onboarding/tours/{tour}/export'

export type ExportForm = paths[typeof path]['get']['responses'][200]['content']['application/json']
export type Finding = ExportForm['findings'][number]
export type ExportAction = ExportForm['actions'][number]
export type ExportRequest = NonNullable<
  paths[typeof path]['post']['requestBody']
>['content']['application/json']
export type Exported = paths[typeof path]['post']['responses'][200]['content']['application/json']

/** This address returns a page by default, so JSON is requested explicitly. */
const headers = { accept: 'application/json' }

/** The export preview of a tour. */
export function exportQuery(api: Api, tour: string) {
  return queryOptions({
    queryKey: ['tours', 'export', tour],
    queryFn: ({ signal }) =>
      tourAnswer(api.client.GET(path, { signal, headers, params: { path: { tour } } })),
  })
}

export async function exportTour(api: Api, tour: string, body: ExportRequest): Promise<Exported> {
  return (await tourAnswer(api.client.POST(path, { headers, params: { path: { tour } }, body }))) as Exported
}
