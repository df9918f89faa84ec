import { queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'
import { readText } from '../../parts/read-search.ts'

/** Every model of every provider, by id. */
export function modelsQuery(api: Api) {
  return queryOptions({
    queryKey: ['models'],
    queryFn: async ({ signal }) => (await bodyOf(api.client.GET('/api/v1/models', { signal }))).data,
    staleTime: 15_000,
  })
}

/** The search parameters of the Playground: the model. */
interface PlaygroundSearch {
  model?: string
}

/** Parses the search parameters and drops invalid values. */
export function readPlaygroundSearch({ model }: Record<string, unknown>): PlaygroundSearch {
  const name = readText(model)?.slice(0, 512)
  return name === undefined ? {} : { model: name }
}
