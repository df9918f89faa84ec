import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../api/api.ts'
import { pageSize } from '../../../api/read-all.ts'
import type { paths } from '../../../api/schema.generated.ts'
import { tourFailureOf } from '../tour-failure.ts'
import type { TourSearch } from './tour-search.ts'

export const toursPath = '/admin/structure/recipe-onboarding/tours'
const tourPath = '/admin/structure/recipe-onboarding/tours/{tour}'

export type Tour = paths[typeof tourPath]['get']['responses'][200]['content']['application/json']['tour']
export type NewTour = paths[typeof toursPath]['post']['requestBody']['content']['application/json']
type ChangedTour = paths[typeof tourPath]['put']['requestBody']['content']['application/json']
export type TourNumbers =
  paths['/tours/numbers']['get']['responses'][200]['content']['application/json']['tours'][number]

/** Resolves with the body of a call to the tours API; throws its failure. */
export async function tourAnswer<Body>(
  call: Promise<{ data?: Body; error?: unknown; response: Response }>,
): Promise<Body> {
  const { data, error, response } = await call
  if (data === undefined) throw tourFailureOf(response, error)
  return data
}

/** One page of the list of tours. */
export function toursQuery(api: Api, { search, state, site, page = 1 }: TourSearch) {
  const query = {
    page,
    limit: pageSize,
    ...(search === undefined ? {} : { search }),
    ...(state === undefined ? {} : { status: state === 'published' }),
    ...(site === undefined ? {} : { site }),
  }
  return queryOptions({
    queryKey: ['tours', 'list', query],
    queryFn: ({ signal }) => tourAnswer(api.client.GET(toursPath, { signal, params: { query } })),
    placeholderData: keepPreviousData,
  })
}

/** The recent statistics of tours, by id. */
export function numbersQuery(api: Api, ids: readonly string[]) {
  const tours = ids.join(',')
  return queryOptions({
    queryKey: ['tours', 'numbers', tours],
    queryFn: async ({ signal }) => {
      const answer = await tourAnswer(
        api.client.GET('/tours/numbers', { signal, params: { query: { tours } } }),
      )
      return new Map(answer.tours.map((one) => [one.id, one]))
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  })
}

export function tourQuery(api: Api, tour: string) {
  return queryOptions({
    queryKey: ['tours', 'one', tour],
    queryFn: async ({ signal }) =>
      (await tourAnswer(api.client.GET(tourPath, { signal, params: { path: { tour } } }))).tour,
  })
}

export async function createTour(api: Api, body: NewTour): Promise<Tour> {
  return (await tourAnswer(api.client.POST(toursPath, { body }))).tour
}

export async function changeTour(api: Api, tour: string, body: ChangedTour): Promise<Tour> {
  return (await tourAnswer(api.client.PUT(tourPath, { params: { path: { tour } }, body }))).tour
}

export async function deleteTour(api: Api, tour: string): Promise<void> {
  await tourAnswer(api.client.DELETE(tourPath, { params: { path: { tour } } }))
}

/** Saves what continues a step. */
export async function saveAdvance(
  api: Api,
  tour: string,
  { step, advance }: { readonly step: string; readonly advance: Tour['tips'][number]['advance'] },
): Promise<void> {
  const params = { path: { tour } }
  const body = { stepId: step, stepData: { advance } }
  await tourAnswer(api.client.POST('/api/recipe-tour-builder/tour/{tour}/step', { params, body }))
}
