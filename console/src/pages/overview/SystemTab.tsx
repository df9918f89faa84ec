import { useApi } from '../../api/api-context.ts'
import { systemQuery } from '../../api/queries.ts'
import type { Interface, RecurringTask, System, Worker } from '../../api/responses.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Section } from '../../parts/Section.tsx'
import { Status, type Tone } from '../../parts/Status.tsx'
import { type SummaryCell, SummaryStrip } from '../../parts/SummaryStrip.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { describeDuration, describeMinute, describeMoment } from '../../time/describe-time.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import cells from './cells.module.css'
import { ModelNodes } from './ModelNodes.tsx'
import styles from './OverviewPage.module.css'

/** The platform itself: processes, nodes, APIs and recurring tasks. */
export default function SystemTab() {
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
  {
    title: 'Worker',
    value: ({ name }) => name,
    placeholderWidth: 120,
    cell: ({ id, name }) => <span title={id}>{name}</span>,
  },
  { title: 'Role', value: ({ role }) => role, placeholderWidth: 40, cell: ({ role }) => role },
  {
    title: 'State',
    value: ({ alive }) => Number(alive),
    cell: ({ alive }) =>
      alive ? <Status tone="good" word="Alive" /> : <Status tone="bad" word="No heartbeat" />,
  },
  {
    title: 'Heartbeat',
    value: ({ heartbeat_at: at }) => at,
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
        name="workers"
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
      note: <DatabaseNote database={database} />,
    },
    {
      name: 'Connections',
      value: `${total - idle} of ${total} in use`,
      note: waiting === 0 ? '0 waiting' : <Status tone="warn" word={`${waiting} waiting`} />,
    },
  ]
}

const interfaceColumns: ReadonlyArray<Column<Interface>> = [
  { title: 'API', value: ({ title }) => title, placeholderWidth: 120, cell: ({ title }) => title },
  { title: 'Version', value: ({ version }) => version, placeholderWidth: 40, cell: ({ version }) => version },
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
        hasFilter={false}
        columns={interfaceColumns}
        rows={interfaces}
        rowKey={({ name }) => name}
        placeholderRows={2}
      />
    </Section>
  )
}

const taskColumns: ReadonlyArray<Column<RecurringTask>> = [
  { title: 'Task', value: ({ name }) => name, placeholderWidth: 140, cell: ({ name }) => name },
  { title: 'Outcome', value: outcomeWord, cell: (task) => <Outcome task={task} /> },
  {
    title: 'Interval',
    value: ({ interval_seconds: seconds }) => seconds,
    numeric: true,
    placeholderWidth: 32,
    cell: ({ interval_seconds }) => describeDuration(interval_seconds),
  },
  { title: 'Duration', value: tookSeconds, numeric: true, placeholderWidth: 40, cell: tookText },
  {
    title: 'Last run',
    value: ({ last_started_at: at }) => at,
    numeric: true,
    placeholderWidth: 56,
    cell: ({ last_started_at }) =>
      last_started_at === null ? 'never' : <RelativeTime at={last_started_at} />,
  },
  {
    title: 'Next run',
    value: ({ due_at: at, running }) => (running ? null : at),
    numeric: true,
    placeholderWidth: 56,
    cell: ({ due_at, running }) => (running ? '–' : <RelativeTime at={due_at} />),
  },
]

const outcomes = {
  Running: 'busy',
  Failed: 'bad',
  'Not run yet': 'idle',
  Succeeded: 'good',
} as const satisfies Readonly<Record<string, Tone>>

function outcomeWord({ running, last_error, last_finished_at }: RecurringTask): keyof typeof outcomes {
  if (running) return 'Running'
  if (last_error !== null) return 'Failed'
  return last_finished_at === null ? 'Not run yet' : 'Succeeded'
}

function Outcome({ task }: { task: RecurringTask }) {
  const word = outcomeWord(task)
  return (
    <span className={cells['reasoned']}>
      <Status tone={outcomes[word]} word={word} />
      {word === 'Failed' ? <span className={cells['reason']}>{task.last_error}</span> : null}
    </span>
  )
}

function tookSeconds({ running, last_started_at, last_finished_at }: RecurringTask): number | null {
  if (running || last_started_at === null || last_finished_at === null) return null
  return Math.max(0, Date.parse(last_finished_at) - Date.parse(last_started_at)) / 1000
}

function tookText(task: RecurringTask): string {
  const seconds = tookSeconds(task)
  return seconds === null ? '–' : describeDuration(seconds)
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
        name="tasks"
        columns={taskColumns}
        rows={tasks}
        rowKey={({ name }) => name}
        placeholderRows={3}
      />
    </Section>
  )
}

/** From here on the log warns too. */
const clockWarningSeconds = 2

function DatabaseNote({ database: { kind, clock_skew_seconds: skew } }: { database: System['database'] }) {
  if (Math.abs(skew) < clockWarningSeconds) return kind === 'embedded' ? 'Embedded' : 'External'
  const seconds = Math.round(Math.abs(skew))
  return <Status tone="warn" word={`Platform clock ${seconds} s ${skew > 0 ? 'ahead' : 'behind'}`} />
}
