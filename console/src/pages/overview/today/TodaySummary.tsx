import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { describeDollars } from '../../../parts/describe-amount.ts'
import { Status } from '../../../parts/Status.tsx'
import { type SummaryCell, SummaryStrip } from '../../../parts/SummaryStrip.tsx'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import { healthQuery } from '../../health/health-queries.ts'
import { describeLevel } from '../../health/health-words.ts'
import { budgetQuery } from '../../usage/usage-queries.ts'
import type { OverviewAccess } from '../overview-access.ts'
import { liveStatusQuery, quotaQuery } from './today-queries.ts'
import { describeNearness, describeWait } from './today-words.ts'
import type { Today } from './use-today.ts'

/** The summary of the day. A value that cannot be loaded is shown as unavailable. */
export function TodaySummary({ access, today }: { access: OverviewAccess; today: Today }) {
  const api = useApi()
  const live = useQuery(liveStatusQuery(api))
  const quota = useQuery(quotaQuery(api))
  const budget = useQuery(budgetQuery(api))
  const health = useQuery({ ...healthQuery(api), enabled: access.administers })
  const { running, queued, failed } = today
  const cells: SummaryCell[] = [
    told(
      'Running',
      live.isError && running === undefined,
      running ?? live.data?.active_workflows,
      (them) => ({
        value: countOf(them).toLocaleString(),
        note:
          quota.data === undefined
            ? null
            : `of ${quota.data.limits.max_concurrent_workflows.toLocaleString()} concurrent`,
      }),
    ),
    told('Queue', live.isError && queued === undefined, queued ?? live.data?.queue_status, (it) => {
      const waiting = 'total' in it ? it.total : it.pending_items
      return {
        value: waiting.toLocaleString(),
        note: describeWait(live.data?.queue_status.estimated_wait, waiting),
      }
    }),
    ...(access.lists
      ? [
          told('Failed today', today.failure !== null, failed, ({ executions, isAtLeast }) => ({
            value: `${executions.length.toLocaleString()}${isAtLeast ? ' or more' : ''}`,
            note: executions.length === 0 ? 'none so far' : <Status tone="bad" word="see below" />,
          })),
        ]
      : []),
    told('Spent today', budget.isError, budget.data, (it) => {
      const used = it.spent_micro_dollars + it.reserved_micro_dollars
      return {
        value: describeDollars(it.spent_micro_dollars),
        note: (
          <LimitNote used={used} limit={it.limit_micro_dollars}>
            of {describeDollars(it.limit_micro_dollars)}, resets <RelativeTime at={it.resets_at} />
          </LimitNote>
        ),
      }
    }),
    told('Requests', quota.isError, quota.data, ({ current_usage, limits, reset_times }) => ({
      value: current_usage.requests_this_hour.toLocaleString(),
      note: (
        <LimitNote used={current_usage.requests_this_hour} limit={limits.requests_per_hour}>
          of {limits.requests_per_hour.toLocaleString()} per hour, resets{' '}
          <RelativeTime at={reset_times.hourly_reset} />
        </LimitNote>
      ),
    })),
    ...(access.administers
      ? [
          told('Health', health.isError, health.data, ({ overallScore, systemStatus }) => ({
            value: <Status {...describeLevel(systemStatus.level)} />,
            note: <Link to="/health">Score {overallScore} of 100</Link>,
          })),
        ]
      : []),
  ]
  const isLoading = cells.some(({ value }) => value === undefined)
  return <SummaryStrip cells={cells} isLoading={isLoading} />
}

/** A summary cell: loading, loaded or unavailable. */
function told<Answer>(
  name: string,
  hasFailed: boolean,
  answer: Answer | undefined,
  describe: (answer: Answer) => Omit<SummaryCell, 'name'>,
): SummaryCell {
  if (answer !== undefined) return { name, ...describe(answer) }
  return hasFailed ? { name, value: '–', note: 'unavailable' } : { name }
}

function countOf(them: { readonly total: number } | readonly unknown[]): number {
  return 'total' in them ? them.total : them.length
}

function LimitNote({
  used,
  limit,
  children,
}: {
  readonly used: number
  readonly limit: number
  readonly children: ReactNode
}) {
  const near = describeNearness(used, limit)
  return (
    <>
      {near === undefined ? null : (
        <>
          <Status {...near} />{' '}
        </>
      )}
      {children}
    </>
  )
}
