import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi } from '../../../api/api-context.ts'
import { describeDollars } from '../../../parts/describe-amount.ts'
import { Status } from '../../../parts/Status.tsx'
import { type SummaryCell, SummaryStrip } from '../../../parts/SummaryStrip.tsx'
import { describeDuration } from '../../../time/describe-time.ts'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import { healthQuery } from '../../health/health-queries.ts'
import { describeLevel } from '../../health/health-words.ts'
import { budgetQuery } from '../../usage/usage-queries.ts'
import type { OverviewAccess } from '../overview-access.ts'
import { type Overview, quotaQuery } from './today-queries.ts'
import { describeChange, describeCount, describeNearness } from './today-words.ts'

interface TodaySummaryProps {
  readonly access: OverviewAccess
  readonly overview: Overview | undefined
}

/** The main numbers with their change. Limits and health are shown only when they need attention. */
export function TodaySummary({ access, overview }: TodaySummaryProps) {
  const warnings = useWarnings(access)
  if (overview === undefined)
    return (
      <SummaryStrip cells={['Runs', 'Success rate', 'p95 duration'].map((name) => ({ name }))} isLoading />
    )
  const cells = [...numbersOf(overview), ...warnings]
  return cells.length === 0 ? null : <SummaryStrip cells={cells} isLoading={false} />
}

/** At most four numbers; a number that is 0 says nothing and is left out. */
function numbersOf({ totals, before, running, queued, needs_approval: pending }: Overview): SummaryCell[] {
  const active = [
    ...(running === 0 ? [] : [`${running.toLocaleString()} running`]),
    ...(queued === 0 ? [] : [`${queued.toLocaleString()} queued`]),
    ...(pending === 0 ? [] : [`${pending.toLocaleString()} ${pending === 1 ? 'needs' : 'need'} approval`]),
  ]
  const { executions, failed, success_rate: rate, p95_duration: p95, retries, cost } = totals
  const isActive = active.length > 0
  return [
    ...(executions === 0 && !isActive
      ? []
      : [
          {
            name: 'Runs',
            value: executions.toLocaleString(),
            note: isActive ? (
              <Status tone={running + queued === 0 ? 'warn' : 'busy'} word={active.join(', ')} />
            ) : (
              (describeChange(executions, before.executions) ?? null)
            ),
          },
        ]),
    ...(rate === null
      ? []
      : [
          {
            name: 'Success rate',
            value: `${rate.toLocaleString(undefined, { maximumFractionDigits: 1 })} %`,
            note: failed === 0 ? null : <Status tone="bad" word={`${failed.toLocaleString()} failed`} />,
          },
        ]),
    ...(p95 === null
      ? []
      : [
          {
            name: 'p95 duration',
            value: describeDuration(p95),
            note: retries === 0 ? null : describeCount(retries, 'retry', 'retries'),
          },
        ]),
    ...(cost === 0
      ? []
      : [
          {
            name: 'Cost',
            value: describeDollars(Math.round(cost * 1_000_000)),
            note: describeChange(cost, before.cost) ?? null,
          },
        ]),
  ]
}

/** Limits that are nearly used up, and services that are not well. */
function useWarnings(access: OverviewAccess): SummaryCell[] {
  const api = useApi()
  const { data: quota } = useQuery(quotaQuery(api))
  const { data: budget } = useQuery(budgetQuery(api))
  const { data: health } = useQuery({ ...healthQuery(api), enabled: access.administers })
  const cells: SummaryCell[] = []
  if (budget !== undefined) {
    const { limit_micro_dollars: limit, resets_at: resets } = budget
    const near = describeNearness(budget.spent_micro_dollars + budget.reserved_micro_dollars, limit)
    if (near !== undefined)
      cells.push({
        name: 'Spent today',
        value: describeDollars(budget.spent_micro_dollars),
        note: (
          <>
            <Status {...near} /> of {describeDollars(limit)}, resets <RelativeTime at={resets} />
          </>
        ),
      })
  }
  if (quota !== undefined) {
    const used = quota.current_usage.requests_this_hour
    const limit = quota.limits.requests_per_hour
    const near = describeNearness(used, limit)
    if (near !== undefined)
      cells.push({
        name: 'Requests',
        value: used.toLocaleString(),
        note: (
          <>
            <Status {...near} /> of {limit.toLocaleString()} per hour
          </>
        ),
      })
  }
  const level = health?.systemStatus.level
  if (level !== undefined) {
    const words = describeLevel(level)
    if (words.tone === 'warn' || words.tone === 'bad')
      cells.push({
        name: 'Health',
        value: <Status {...words} />,
        note: <Link to="/health">View health</Link>,
      })
  }
  return cells
}
