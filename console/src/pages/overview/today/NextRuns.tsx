import { Link } from '@tanstack/react-router'
import { useApi } from '../../../api/api-context.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
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

const maxShown = 5

const columns: ReadonlyArray<Column<Schedule & { readonly next_run_at: number }>> = [
  {
    title: 'Schedule',
    minWidth: 160,
    placeholderWidth: 140,
    cell: (schedule) => (
      <Link to="/schedules" search={{ schedule: schedule.schedule_id }}>
        {nameOf(schedule)}
      </Link>
    ),
  },
  {
    title: 'Frequency',
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

/** The next scheduled runs of this account. */
export function NextRuns({ account }: { account: string }) {
  const { data, failure, refetch } = useApiQuery(ownSchedulesQuery(useApi(), account))
  const rows = data === undefined ? undefined : nextOf(data, maxShown)
  return (
    <Section
      title="Next runs"
      note={rows === undefined || rows.length === 0 ? undefined : 'your schedules'}
      aside={<Link to="/schedules">All schedules</Link>}
    >
      {rows === undefined && failure !== null ? (
        <FailureNotice
          what="The schedules could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : rows?.length === 0 ? (
        <p className={styles['none']}>
          You have no enabled schedules.{' '}
          <Link to="/schedules" search={{ create: true }}>
            Create a schedule
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
