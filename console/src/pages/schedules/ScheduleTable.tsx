import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeCron } from './describe-cron.ts'
import { RunSchedule } from './RunSchedule.tsx'
import styles from './ScheduleTable.module.css'
import type { Schedule } from './schedule-queries.ts'
import { describeOutcome, nameOf, scheduleStates } from './schedule-words.ts'

interface ScheduleTableProps {
  readonly schedules: readonly Schedule[] | undefined
  readonly openId: string | undefined
  readonly isFiltered: boolean
  /** Undefined for who may not make one. */
  readonly onCreate: (() => void) | undefined
  readonly onShowAll: () => void
  readonly onOpen: (id: string) => void
}

const columns: ReadonlyArray<Column<Schedule>> = [
  {
    title: 'Schedule',
    room: 160,
    placeholderWidth: 140,
    cell: (schedule) => (
      <span className={styles['name']}>
        {nameOf(schedule)}
        {nameOf(schedule) === schedule.flow_id ? null : (
          <span className={styles['about']}>{schedule.flow_id}</span>
        )}
      </span>
    ),
  },
  {
    title: 'When',
    room: 160,
    placeholderWidth: 160,
    cell: ({ cron, timezone }) => (
      <span className={styles['name']}>
        <span title={cron}>{describeCron(cron) ?? <code>{cron}</code>}</span>
        <span className={styles['about']}>{timezone}</span>
      </span>
    ),
  },
  {
    title: 'State',
    room: 72,
    placeholderWidth: 40,
    cell: ({ status }) => <Status {...scheduleStates[status]} />,
  },
  {
    title: 'Last time',
    room: 112,
    minor: true,
    placeholderWidth: 80,
    cell: (schedule) => {
      const outcome = describeOutcome(schedule)
      return outcome === undefined ? <span data-none>–</span> : <Status {...outcome} />
    },
  },
  {
    title: 'Next run',
    numeric: true,
    room: 72,
    placeholderWidth: 56,
    cell: ({ next_run_at: at }) =>
      at === null ? '–' : <RelativeTime at={new Date(at * 1000).toISOString()} />,
  },
  {
    title: 'Run',
    quiet: true,
    numeric: true,
    placeholderWidth: 56,
    cell: (schedule) => <RunSchedule schedule={schedule} size="compact-xs" />,
  },
]

/** Schedules, each opening all about it. */
export function ScheduleTable(props: ScheduleTableProps) {
  const { schedules, openId, isFiltered, onCreate, onShowAll, onOpen } = props
  if (schedules?.length === 0) {
    return (
      <EmptyState
        sentence={
          isFiltered
            ? 'No schedule runs this flow.'
            : 'Nothing runs by the clock yet. A schedule runs a flow every morning, every hour, or whenever you say.'
        }
        action={
          isFiltered ? (
            <Button size="compact-sm" variant="default" onClick={onShowAll}>
              Show all schedules
            </Button>
          ) : onCreate === undefined ? null : (
            <Button size="compact-sm" variant="default" onClick={onCreate}>
              Create schedule
            </Button>
          )
        }
        link={<Link to="/flows">See the flows there are</Link>}
      />
    )
  }
  return (
    <Table
      label="Schedules"
      columns={columns}
      rows={schedules}
      rowKey={({ schedule_id }) => schedule_id}
      placeholderRows={3}
      onOpen={({ schedule_id }) => onOpen(schedule_id)}
      isOpen={({ schedule_id }) => schedule_id === openId}
    />
  )
}
