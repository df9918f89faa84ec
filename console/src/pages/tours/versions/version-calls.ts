import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../api/api.ts'
import { pageSize } from '../../../api/read-all.ts'
import type { paths } from '../../../api/schema.generated.ts'
import { type Tour, tourAnswer } from '../list/tour-calls.ts'

const versionsPath = '/admin/structure/recipe-onboarding/tours/{tour}/versions'
const diffPath = '/admin/structure/recipe-onboarding/tours/{tour}/diff'

type Body<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Content } } } }
}
  ? Content
  : never

export type TourVersion = Body<typeof versionsPath>['versions'][number]
export type TourDiff = Body<typeof diffPath>

export function versionsQuery(api: Api, tour: string, page: number) {
  return queryOptions({
    queryKey: ['tours', 'versions', tour, page],
    queryFn: ({ signal }) =>
      tourAnswer(
        api.client.GET(versionsPath, {
          signal,
          params: { path: { tour }, query: { page, limit: pageSize } },
        }),
      ),
    placeholderData: keepPreviousData,
  })
}

/** The changes of a version; with `from`, since that version. */
export function diffQuery(api: Api, tour: string, { from, to }: { from?: number; to?: number }) {
  const query = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
  return queryOptions({
    queryKey: ['tours', 'diff', tour, query],
    queryFn: ({ signal }) =>
      tourAnswer(api.client.GET(diffPath, { signal, params: { path: { tour }, query } })),
  })
}

export async function rollBack(api: Api, tour: string, version: number): Promise<Tour> {
  const path = '/admin/structure/recipe-onboarding/tours/{tour}/rollback'
  return (await tourAnswer(api.client.POST(path, { params: { path: { tour } }, body: { version } }))).tour
}
