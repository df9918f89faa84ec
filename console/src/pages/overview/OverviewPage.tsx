import '../../theme/mantine-form.css'
import { ActionIcon, Button, SegmentedControl } from '@mantine/core'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useApi } from '../../api/api-context.ts'
import { profileQuery, systemQuery } from '../../api/queries.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Section } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { StreamStatus } from '../../parts/StreamStatus.tsx'
import { SummaryStrip } from '../../parts/SummaryStrip.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { useTimedText } from '../../time/clock.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { useExecutionNews } from '../executions/use-execution-news.ts'
import { useStatusNews } from '../health/use-status-news.ts'
import { BudgetMeter } from '../usage/BudgetMeter.tsx'
import { dayOf, daysOf } from '../usage/ranges.ts'
import { TotalsSummary } from '../usage/TotalsSummary.tsx'
import { budgetQuery, usageQuery } from '../usage/usage-queries.ts'
import styles from './OverviewPage.module.css'
import { accessOf, type OverviewAccess } from './overview-access.ts'
import { readOverviewSearch, type Timeframe } from './overview-search.ts'
import { TodayTab } from './today/TodayTab.tsx'

const SystemTab = lazyPart(() => import('./SystemTab.tsx'))
const route = getRouteApi('/')

const tabs = [
  { value: 'today', label: 'Today' },
  { value: 'system', label: 'System' },
]

/** The first page of the day: runs, failures and cost over time, and what waits for a person. */
export function OverviewPage() {
  const { data: profile, failure, refetch } = useApiQuery(profileQuery(useApi()))
  const { tab, timeframe = '24h' } = readOverviewSearch({ ...route.useSearch() })
  const access = profile === undefined ? undefined : accessOf(profile)
  const showsSystem = access?.administers === true && tab === 'system'
  return (
    <Page
      title="Overview"
      aside={
        showsSystem ? (
          <SystemFreshness />
        ) : access?.measures === true ? (
          <TodayNews access={access} />
        ) : undefined
      }
    >
      {access !== undefined ? (
        <Loaded access={access} showsSystem={showsSystem} timeframe={timeframe} />
      ) : failure === null ? (
        <SummaryStrip cells={['Runs', 'Success rate', 'p95 duration'].map((name) => ({ name }))} isLoading />
      ) : (
        <FailureNotice
          what="Your account could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      )}
    </Page>
  )
}

interface LoadedProps {
  readonly access: OverviewAccess
  readonly showsSystem: boolean
  readonly timeframe: Timeframe
}

function Loaded({ access, showsSystem, timeframe }: LoadedProps) {
  const navigate = route.useNavigate()
  return (
    <>
      {access.administers ? (
        <SegmentedControl
          size="xs"
          w="fit-content"
          aria-label="View"
          data={tabs}
          value={showsSystem ? 'system' : 'today'}
          onChange={(wanted) => void navigate({ search: readOverviewSearch({ tab: wanted }), replace: true })}
        />
      ) : null}
      {showsSystem ? (
        <Suspense>
          <SystemTab />
        </Suspense>
      ) : access.measures ? (
        <TodayTab access={access} timeframe={timeframe} />
      ) : (
        <OwnDay />
      )}
    </>
  )
}

/** The age of the platform details, and a refresh button. */
function SystemFreshness() {
  const { data, failure, dataUpdatedAt, refetch } = useApiQuery(systemQuery(useApi()))
  if (data === undefined) return null
  return (
    <>
      <Freshness updatedAt={dataUpdatedAt} failing={failure !== null} />
      <ActionIcon size={28} aria-label="Refresh" title="Refresh" onClick={() => void refetch()}>
        <IconRefresh size={16} stroke={1.75} aria-hidden />
      </ActionIcon>
    </>
  )
}

/** The queries that change when an execution starts or ends, besides lists of executions. */
const changedByExecutions = [['usage', 'budget'], ['schedules']] as const

/** The state of the event stream, and a refresh button. */
function TodayNews({ access }: { access: OverviewAccess }) {
  const cache = useQueryClient()
  const streamState = useExecutionNews(changedByExecutions)
  return (
    <>
      {access.administers ? <HealthNews /> : null}
      <StreamStatus state={streamState} />
      <ActionIcon
        size={28}
        aria-label="Refresh"
        title="Refresh"
        onClick={() => void cache.invalidateQueries({ type: 'active' })}
      >
        <IconRefresh size={16} stroke={1.75} aria-hidden />
      </ActionIcon>
    </>
  )
}

/** Follows the status events, so that the health of services stays up to date. */
function HealthNews() {
  useStatusNews()
  return null
}

/** The overview of an account without access to flows: its model usage and the rest of its budget. */
function OwnDay() {
  const api = useApi()
  const days = daysOf('today', useTimedText(dayOf))
  const { data, failure, refetch } = useApiQuery(
    usageQuery(api, { ...days, account: undefined, groupBy: 'model' }),
  )
  const { data: budget, isError } = useQuery(budgetQuery(api))
  return (
    <>
      {data === undefined && failure !== null ? (
        <FailureNotice
          what="Your usage could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <TotalsSummary totals={data?.totals} />
      )}
      {isError && budget === undefined ? null : <BudgetMeter budget={budget} />}
      <Section title="Get started">
        <EmptyState
          sentence="Your account can use models. Running workflows requires the permission “run workflows”; ask an administrator for it."
          action={
            <Button size="sm" renderRoot={(props) => <Link to="/playground" {...props} />}>
              Open playground
            </Button>
          }
          link={<Link to="/profile">View your permissions</Link>}
        />
      </Section>
    </>
  )
}

/** The age of the shown data, and whether its refresh is failing. */
function Freshness({ updatedAt, failing }: { updatedAt: number; failing: boolean }) {
  const at = <RelativeTime at={new Date(updatedAt).toISOString()} />
  if (!failing) return <span className={styles['updated']}>Updated {at}</span>
  return (
    <>
      <Status tone="warn" word="Not responding" />
      <span>last values {at}</span>
    </>
  )
}
