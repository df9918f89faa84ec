import type { RecurringTask } from '../../api/responses.ts'
import { Section } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { describeDuration } from '../../time/describe-time.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import styles from './cells.module.css'

const columns: ReadonlyArray<Column<RecurringTask>> = [
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
      <span className={styles['reasoned']}>
        <Status tone="bad" word="Failed" />
        <span className={styles['reason']}>{last_error}</span>
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
export function RecurringTasks({ tasks }: { tasks: readonly RecurringTask[] | undefined }) {
  const failed = tasks?.filter((task) => task.last_error !== null).length
  return (
    <Section
      title="Recurring tasks"
      note={failed === undefined || failed === 0 ? undefined : `${failed} failed`}
    >
      <Table
        label="Recurring tasks"
        columns={columns}
        rows={tasks}
        rowKey={({ name }) => name}
        placeholderRows={3}
      />
    </Section>
  )
}
