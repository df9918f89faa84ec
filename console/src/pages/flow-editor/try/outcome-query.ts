import { queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../../api/api.ts'
import type { Json } from '../document/json.ts'
import type { Outcome } from './try-run.ts'

/** What came out of an execution that is over. */
export function outcomeQuery(api: Api, execution: string) {
  return queryOptions({
    queryKey: ['executions', 'outcome', execution],
    queryFn: async ({ signal }): Promise<Outcome> => {
      const body = await bodyOf(
        api.client.GET('/ai-workflows/api/executions/{execution_id}', {
          signal,
          params: { path: { execution_id: execution } },
        }),
      )
      const results = 'step_results' in body ? Object.entries(body.step_results) : []
      return {
        error: body.error === null ? null : { code: body.error.code, message: body.error.message },
        made: new Map(results.map(([id, { results: made }]) => [id, made as Json])),
      }
    },
    // A map is nothing that answers can share parts of.
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
