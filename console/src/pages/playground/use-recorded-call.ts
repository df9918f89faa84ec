import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Api } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import type { Call } from '../usage/usage-bodies.ts'
import { readCall } from '../usage/usage-queries.ts'
import { type Answer, isOver } from './answer.ts'

const pauseMs = 200
const mostLooks = 40

/** What the platform wrote down about an answer: undefined until that is known, null when it did not. */
export function useRecordedCall(answer: Answer): Call | null | undefined {
  const api = useApi()
  const callId = answer.by?.callId ?? ''
  const { data, isError } = useQuery({
    ...recordedCallQuery(api, callId),
    enabled: isOver(answer) && callId !== '',
  })
  return isError ? null : data
}

/** A call is written down a moment after its answer ended, so it is looked for more than once. */
function recordedCallQuery(api: Api, callId: string) {
  return queryOptions({
    queryKey: ['playground', 'call', callId],
    queryFn: async ({ signal }) => {
      for (let look = 1; look < mostLooks; look += 1) {
        const call = await readCall(api, callId, { account: undefined, signal })
        if (call !== null) return call
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
      return null
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}
