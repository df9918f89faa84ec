import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../api/api.ts'
import type { paths } from '../../../api/schema.generated.ts'
import { tourFailureOf } from '../tour-failure.ts'
import type { Timeframe } from './tour-analytics-search.ts'

const path = '/admin/structure/recipe-onboarding/tours/{tour}/analytics'

export type TourAnalytics = paths[typeof path]['get']['responses'][200]['content']['application/json']
export type StepNumbers = TourAnalytics['steps'][number]

/** Statistics change while the page is open, so they are polled. */
const refreshEveryMs = 15_000

/** The analytics of a tour. */
export function analyticsQuery(api: Api, tour: string, timeframe: Timeframe) {
  return queryOptions({
    queryKey: ['tours', 'analytics', tour, timeframe],
    queryFn: async ({ signal }) => {
      const params = { path: { tour }, query: { timeframe } }
      const { data, error, response } = await api.client.GET(path, { signal, params })
      if (data === undefined) throw tourFailureOf(response, error)
      return data
    },
    placeholderData: keepPreviousData,
    refetchInterval: refreshEveryMs,
  })
}

const tourPath = '/admin/structure/recipe-onboarding/tours/{tour}'

/** The label and state of the tour. */
export function watchedTourQuery(api: Api, tour: string) {
  return queryOptions({
    queryKey: ['tours', 'watched', tour],
    queryFn: async ({ signal }) => {
      const { data, error, response } = await api.client.GET(tourPath, { signal, params: { path: { tour } } })
      if (data === undefined) throw tourFailureOf(response, error)
      return data.tour
    },
  })
}
