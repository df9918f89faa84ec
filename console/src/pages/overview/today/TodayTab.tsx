import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import type { OverviewAccess } from '../overview-access.ts'
import { Approvals } from './Approvals.tsx'
import { FailedToday } from './FailedToday.tsx'
import { FirstRun } from './FirstRun.tsx'
import { NextRuns } from './NextRuns.tsx'
import { TodaySummary } from './TodaySummary.tsx'
import { UnderWay } from './UnderWay.tsx'
import { useToday } from './use-today.ts'

/** What runs, what failed, what waits for somebody and what comes next. */
export function TodayTab({ access }: { access: OverviewAccess }) {
  const today = useToday(access)
  return (
    <>
      <TodaySummary access={access} today={today} />
      {today.own?.total === 0 ? <FirstRun /> : null}
      {access.manages ? <Approvals account={access.account} /> : null}
      {access.lists ? <Executions today={today} /> : null}
      {access.runs ? <NextRuns account={access.account} /> : null}
    </>
  )
}

function Executions({ today }: { today: ReturnType<typeof useToday> }) {
  if (today.failure !== null) {
    return (
      <FailureNotice what="The executions could not be read." error={today.failure} onRetry={today.retry} />
    )
  }
  return (
    <>
      <UnderWay running={today.running} queued={today.queued} />
      <FailedToday failed={today.failed} />
    </>
  )
}
