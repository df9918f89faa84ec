import '../../theme/mantine-form.css'
import { ActionIcon, Button, SegmentedControl } from '@mantine/core'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useApi } from '../../api/api-context.ts'
import { profileQuery, systemQuery } from '../../api/queries.ts'
import type { Interface, RecurringTask, System, Worker } from '../../api/responses.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Section } from '../../parts/Section.tsx'
import { Status, type Tone } from '../../parts/Status.tsx'
import { StreamStatus } from '../../parts/StreamStatus.tsx'
import { type SummaryCell, SummaryStrip } from '../../parts/SummaryStrip.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { useTimedText } from '../../time/clock.ts'
import { describeDuration, describeMinute, describeMoment } from '../../time/describe-time.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { useExecutionNews } from '../executions/use-execution-news.ts'
import { useStatusNews } from '../health/use-status-news.ts'
import { BudgetMeter } from '../usage/BudgetMeter.tsx'
import { dayOf, daysOf } from '../usage/ranges.ts'
import { TotalsSummary } from '../usage/TotalsSummary.tsx'
import { budgetQuery, usageQuery } from '../usage/usage-queries.ts'
import cells from './cells.module.css'
import { ModelNodes } from './ModelNodes.tsx'
import styles from './OverviewPage.module.css'
import { accessOf, type OverviewAccess } from './overview-access.ts'
import { readOverviewSearch } from './overview-search.ts'
import { TodayTab } from './today/TodayTab.tsx'

const route = getRouteApi('/')

const tabs = [
  { value: 'today', label: 'Today' },
  { value: 'system', label: 'System' },
]

/** The first page of the day: running and failed executions, approvals, and cost. */
export function OverviewPage() {
  const { data: profile, failure, refetch } = useApiQuery(profileQuery(useApi()))
  const { tab } = readOverviewSearch({ ...route.useSearch() })
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
        <Loaded access={access} showsSystem={showsSystem} />
      ) : failure === null ? (
        <SummaryStrip cells={['Running', 'Queue', 'Failed today'].map((name) => ({ name }))} isLoading />
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

function Loaded({ access, showsSystem }: { access: OverviewAccess; showsSystem: boolean }) {
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
      {showsSystem ? <SystemTab /> : access.measures ? <TodayTab access={access} /> : <OwnDay />}
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

/** The platform itself: processes, nodes, APIs and recurring tasks. */
function SystemTab() {
  const { data: system, failure, refetch } = useApiQuery(systemQuery(useApi()))
  const refresh = () => void refetch()
  if (system === undefined && failure !== null) {
    return (
      <FailureNotice
        what="The state of the platform could not be loaded."
        error={failure}
        onRetry={refresh}
      />
    )
  }
  return (
    <>
      <Summary system={system} />
      <ModelNodes nodes={system?.nodes} onRefresh={refresh} />
      <div className={styles['pair']}>
        <Workers workers={system?.workers} />
        <Interfaces interfaces={system?.interfaces} />
      </div>
      <RecurringTasks tasks={system?.tasks} />
    </>
  )
}

const workerColumns: ReadonlyArray<Column<Worker>> = [
  { title: 'Worker', placeholderWidth: 120, cell: ({ id, name }) => <span title={id}>{name}</span> },
  { title: 'Role', placeholderWidth: 40, cell: ({ role }) => role },
  {
    title: 'State',
    cell: ({ alive }) =>
      alive ? <Status tone="good" word="Alive" /> : <Status tone="bad" word="No heartbeat" />,
  },
  {
    title: 'Heartbeat',
    numeric: true,
    placeholderWidth: 48,
    cell: ({ heartbeat_at }) => <RelativeTime at={heartbeat_at} />,
  },
]

/** The processes of the platform. */
function Workers({ workers }: { workers: readonly Worker[] | undefined }) {
  const alive = workers?.filter((worker) => worker.alive).length
  return (
    <Section title="Workers" note={workers === undefined ? undefined : `${alive} alive`}>
      <Table
        label="Workers"
        columns={workerColumns}
        rows={workers}
        rowKey={({ id }) => id}
        placeholderRows={1}
      />
    </Section>
  )
}

const states: Readonly<Record<System['status'], { tone: Tone; word: string }>> = {
  ready: { tone: 'good', word: 'Ready' },
  degraded: { tone: 'warn', word: 'Degraded' },
}

const roles: Readonly<Record<string, string>> = {
  all: 'API and worker',
  api: 'API only',
  worker: 'Worker only',
}

/** The summary of the platform. */
function Summary({ system }: { system: System | undefined }) {
  return <SummaryStrip cells={cellsOf(system)} isLoading={system === undefined} />
}

function cellsOf(system: System | undefined): readonly SummaryCell[] {
  if (system === undefined)
    return ['Status', 'Version', 'Uptime', 'Database', 'Connections'].map((name) => ({ name }))
  const { database } = system
  const { total, idle, waiting } = database.connections
  const reasons = Object.entries(system.checks).flatMap(([name, result]) =>
    result === 'ok' ? [] : [`${name}: ${result}`],
  )
  const started = new Date(system.started_at)
  return [
    {
      name: 'Status',
      value: <Status {...states[system.status]} />,
      note: reasons.length === 0 ? (roles[system.role] ?? system.role) : reasons.join(', '),
    },
    { name: 'Version', value: system.version, note: `Node.js ${system.node_version.replace(/^v/, '')}` },
    {
      name: 'Uptime',
      value: describeDuration(system.uptime_seconds),
      note: (
        <time dateTime={system.started_at} title={describeMoment(started)}>
          since {describeMinute(started)}
        </time>
      ),
    },
    {
      name: 'Database',
      value: `PostgreSQL ${database.version}`,
      note: database.kind === 'embedded' ? 'Embedded' : 'External',
    },
    {
      name: 'Connections',
      value: `${total - idle} of ${total} in use`,
      note: waiting === 0 ? '0 waiting' : <Status tone="warn" word={`${waiting} waiting`} />,
    },
  ]
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

const interfaceColumns: ReadonlyArray<Column<Interface>> = [
  { title: 'API', placeholderWidth: 120, cell: ({ title }) => title },
  { title: 'Version', placeholderWidth: 40, cell: ({ version }) => version },
  {
    title: 'Description',
    numeric: true,
    cell: ({ name, openapi }) => (
      <a href={openapi} aria-label={`OpenAPI description of ${name}`}>
        OpenAPI
      </a>
    ),
  },
]

/** The HTTP APIs of the platform. */
function Interfaces({ interfaces }: { interfaces: readonly Interface[] | undefined }) {
  return (
    <Section title="APIs" note={interfaces?.length}>
      <Table
        label="APIs"
        columns={interfaceColumns}
        rows={interfaces}
        rowKey={({ name }) => name}
        placeholderRows={2}
      />
    </Section>
  )
}

const taskColumns: ReadonlyArray<Column<RecurringTask>> = [
  { title: 'Task', placeholderWidth: 140, cell: ({ name }) => name },
  { title: 'Outcome', cell: (task) => <Outcome task={task} /> },
  {
    title: 'Interval',
    numeric: true,
    placeholderWidth: 32,
    cell: ({ interval_seconds }) => describeDuration(interval_seconds),
  },
  { title: 'Duration', numeric: true, placeholderWidth: 40, cell: tookText },
  {
    title: 'Last run',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ last_started_at }) =>
      last_started_at === null ? 'never' : <RelativeTime at={last_started_at} />,
  },
  {
    title: 'Next run',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ due_at, running }) => (running ? '–' : <RelativeTime at={due_at} />),
  },
]

function Outcome({ task: { running, last_error, last_finished_at } }: { task: RecurringTask }) {
  if (running) return <Status tone="busy" word="Running" />
  if (last_error !== null) {
    return (
      <span className={cells['reasoned']}>
        <Status tone="bad" word="Failed" />
        <span className={cells['reason']}>{last_error}</span>
      </span>
    )
  }
  return last_finished_at === null ? (
    <Status tone="idle" word="Not run yet" />
  ) : (
    <Status tone="good" word="Succeeded" />
  )
}

function tookText({ running, last_started_at, last_finished_at }: RecurringTask): string {
  if (running || last_started_at === null || last_finished_at === null) return '–'
  return describeDuration(Math.max(0, Date.parse(last_finished_at) - Date.parse(last_started_at)) / 1000)
}

/** The recurring tasks of the platform. */
function RecurringTasks({ tasks }: { tasks: readonly RecurringTask[] | undefined }) {
  const failed = tasks?.filter((task) => task.last_error !== null).length
  return (
    <Section
      title="Recurring tasks"
      note={failed === undefined || failed === 0 ? undefined : `${failed} failed`}
    >
      <Table
        label="Recurring tasks"
        columns={taskColumns}
        rows={tasks}
        rowKey={({ name }) => name}
        placeholderRows={3}
      />
    </Section>
  )
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
