import { Link } from '@tanstack/react-router'
import { useApi } from '../../../api/api-context.ts'
import { useAnswer } from '../../../api/use-answer.ts'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Section } from '../../../parts/Section.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import { describeCron } from '../../schedules/describe-cron.ts'
import type { Schedule } from '../../schedules/schedule-queries.ts'
import { nameOf } from '../../schedules/schedule-words.ts'
import { nextOf } from './next-runs.ts'
import styles from './today.module.css'
import { ownSchedulesQuery } from './today-queries.ts'

const mostShown = 5

const columns: ReadonlyArray<Column<Schedule & { readonly next_run_at: number }>> = [
  {
    title: 'Schedule',
    room: 160,
    placeholderWidth: 140,
    cell: (schedule) => (
      <Link to="/schedules" search={{ schedule: schedule.schedule_id }}>
        {nameOf(schedule)}
      </Link>
    ),
  },
  {
    title: 'When',
    placeholderWidth: 160,
    cell: ({ cron, timezone }) => `${describeCron(cron) ?? cron}, ${timezone}`,
  },
  {
    title: 'Next run',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ next_run_at: at }) => <RelativeTime at={new Date(at * 1000).toISOString()} />,
  },
]

/** What the clock starts next for this account. */
export function NextRuns({ account }: { account: string }) {
  const { data, failure, refetch } = useAnswer(ownSchedulesQuery(useApi(), account))
  const rows = data === undefined ? undefined : nextOf(data, mostShown)
  return (
    <Section
      title="Next runs"
      note={rows === undefined || rows.length === 0 ? undefined : 'by your schedules'}
      aside={<Link to="/schedules">All schedules</Link>}
    >
      {rows === undefined && failure !== null ? (
        <FailureNotice
          what="The schedules could not be read."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : rows?.length === 0 ? (
        <p className={styles['none']}>
          No schedule of yours runs.{' '}
          <Link to="/schedules" search={{ create: true }}>
            Run a flow by the clock
          </Link>
        </p>
      ) : (
        <Table
          label="Next runs"
          columns={columns}
          rows={rows}
          rowKey={({ schedule_id }) => schedule_id}
          placeholderRows={1}
        />
      )}
    </Section>
  )
}
