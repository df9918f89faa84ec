import { Link } from '@tanstack/react-router'
import { useApi } from '../../../api/api-context.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { OutcomeBar } from '../../../parts/OutcomeBar.tsx'
import { Section } from '../../../parts/Section.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import { describeCron } from '../../schedules/describe-cron.ts'
import type { Schedule } from '../../schedules/schedule-queries.ts'
import { nameOf, outcomeOf } from '../../schedules/schedule-words.ts'
import { nextOf } from './next-runs.ts'
import { ownSchedulesQuery } from './today-queries.ts'

const maxNextRuns = 5

const nextRunColumns: ReadonlyArray<Column<Schedule & { readonly next_run_at: number }>> = [
  {
    title: 'Schedule',
    value: nameOf,
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
    value: ({ cron }) => describeCron(cron) ?? cron,
    placeholderWidth: 160,
    cell: ({ cron, timezone }) => `${describeCron(cron) ?? cron}, ${timezone}`,
  },
  {
    title: 'Last runs',
    minWidth: 96,
    placeholderWidth: 72,
    cell: ({ recent }) => <OutcomeBar outcomes={recent.map(outcomeOf)} />,
  },
  {
    title: 'Next run',
    value: ({ next_run_at: at }) => at,
    numeric: true,
    placeholderWidth: 56,
    cell: ({ next_run_at: at }) => <RelativeTime at={new Date(at * 1000).toISOString()} />,
  },
]

/** The next scheduled runs of this account; nothing when there is none. */
export function NextRuns({ account }: { account: string }) {
  const { data, failure, refetch } = useApiQuery(ownSchedulesQuery(useApi(), account))
  const rows = data === undefined ? undefined : nextOf(data, maxNextRuns)
  if (rows?.length === 0) return null
  return (
    <Section
      title="Next runs"
      note={rows === undefined ? undefined : 'your schedules'}
      aside={<Link to="/schedules">All schedules</Link>}
    >
      {rows === undefined && failure !== null ? (
        <FailureNotice
          what="The schedules could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <Table
          label="Next runs"
          hasFilter={false}
          columns={nextRunColumns}
          rows={rows}
          rowKey={({ schedule_id }) => schedule_id}
          placeholderRows={1}
        />
      )}
    </Section>
  )
}
