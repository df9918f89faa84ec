import { queryOptions } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { type Api, bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { profileQuery } from '../../api/queries.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Surface } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { NoRuns } from './NoRuns.tsx'

/** The newest execution of the account; null without one. */
function latestQuery(api: Api, account: string | undefined) {
  return queryOptions({
    queryKey: ['executions', 'latest', account],
    enabled: account !== undefined,
    // The address means the newest one each time it is opened.
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const query = { order: 'newest', limit: 1, ...(account === undefined ? {} : { account }) } as const
      const { executions } = await bodyOf(
        api.client.GET('/ai-workflows/api/executions', { signal, params: { query } }),
      )
      return executions[0]?.execution_id ?? null
    },
  })
}

/** Redirects to the newest execution of the account: an address for bookmarks and tours. */
export function LatestExecution() {
  const api = useApi()
  const profile = useApiQuery(profileQuery(api))
  const latest = useApiQuery(latestQuery(api, profile.data?.id))
  const failure = profile.failure ?? latest.failure
  if (typeof latest.data === 'string') {
    return <Navigate to="/executions/$execution" params={{ execution: latest.data }} replace />
  }
  if (failure !== null && latest.data === undefined) {
    return (
      <Page title="Latest execution">
        <FailureNotice
          what="The latest execution could not be loaded."
          error={failure}
          onRetry={() => void (profile.data === undefined ? profile.refetch() : latest.refetch())}
        />
      </Page>
    )
  }
  return (
    <Page title="Latest execution">
      <Surface>
        {latest.data === null ? <NoRuns sentence="You have no executions yet." /> : <Skeleton width={320} />}
      </Surface>
    </Page>
  )
}
