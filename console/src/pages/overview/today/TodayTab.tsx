import { useApi } from '../../../api/api-context.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import type { OverviewAccess } from '../overview-access.ts'
import type { Timeframe } from '../overview-search.ts'
import { Approvals } from './Approvals.tsx'
import { FailureGroups } from './FailureGroups.tsx'
import { FirstRun } from './FirstRun.tsx'
import { FlowRanks } from './FlowRanks.tsx'
import { NextRuns } from './NextRuns.tsx'
import { OpenTasks } from './OpenTasks.tsx'
import { RecentRuns } from './RecentRuns.tsx'
import { RunCharts } from './RunCharts.tsx'
import { TodaySummary } from './TodaySummary.tsx'
import { overviewQuery } from './today-queries.ts'

interface TodayTabProps {
  readonly access: OverviewAccess
  readonly timeframe: Timeframe
}

/** Runs, cost and failures of a period, and what waits for a person. */
export function TodayTab({ access, timeframe }: TodayTabProps) {
  const { data: overview, failure, refetch } = useApiQuery(overviewQuery(useApi(), timeframe))
  if (overview === undefined && failure !== null) {
    return (
      <FailureNotice
        what="The overview could not be loaded."
        error={failure}
        onRetry={() => void refetch()}
      />
    )
  }
  const needsFirstRun = access.runs && overview?.has_run === false
  const isEmpty = needsFirstRun && overview.recent.length === 0 && overview.totals.executions === 0
  return (
    <>
      {isEmpty ? null : <TodaySummary access={access} overview={overview} />}
      {needsFirstRun ? <FirstRun /> : null}
      {access.manages ? <Approvals account={access.account} /> : null}
      {access.lists ? <OpenTasks /> : null}
      {isEmpty ? null : (
        <>
          <RunCharts overview={overview} timeframe={timeframe} />
          <FailureGroups overview={overview} access={access} />
          <FlowRanks overview={overview} />
          {access.lists ? <RecentRuns recent={overview?.recent} /> : null}
        </>
      )}
      {access.runs ? <NextRuns account={access.account} /> : null}
    </>
  )
}
