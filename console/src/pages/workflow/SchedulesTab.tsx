import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { useMay } from '../../api/use-may.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { Surface } from '../../parts/Section.tsx'
import { type Column, rowsOf, Table } from '../../parts/Table.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeCron } from '../schedules/describe-cron.ts'
import { RunOutcome } from '../schedules/LastRuns.tsx'
import { stateColumns } from '../schedules/schedule-columns.tsx'
import { type Schedule, schedulesQuery } from '../schedules/schedule-queries.ts'
import { nameOf } from '../schedules/schedule-words.ts'
import type { WholeFlow } from '../workflows/flow-queries.ts'
import styles from './WorkflowPage.module.css'

const CreateSchedule = lazyPart(() =>
  import('../schedules/ScheduleDrawer.tsx').then(({ CreateSchedule: it }) => ({ default: it })),
)
const ScheduleDrawer = lazyPart(() => import('../schedules/ScheduleDrawer.tsx'))

/** The schedules of a workflow, each with its details. */
export default function SchedulesTab({ flow }: { flow: WholeFlow }) {
  const cache = useQueryClient()
  const mayCreate = useMay('run workflows')
  const [page, setPage] = useState(1)
  const [isCreating, setCreating] = useState(false)
  const [openId, setOpenId] = useState<string>()
  const { data, failure, refetch } = useApiQuery(schedulesQuery(useApi(), { flow: flow.id, page }))
  const refresh = () => cache.invalidateQueries({ queryKey: ['schedules'] })
  const create = mayCreate ? (
    <Button size="compact-sm" onClick={() => setCreating(true)}>
      Create schedule
    </Button>
  ) : null
  return (
    <>
      {data === undefined && failure !== null ? (
        <FailureNotice
          what="The schedules could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <Surface>
          {data?.total === 0 ? (
            <EmptyState
              sentence="No schedule runs this workflow."
              action={create}
              link={<Link to="/schedules">All schedules</Link>}
            />
          ) : (
            <>
              <Table
                label="Schedules"
                columns={columns}
                rows={rowsOf(data && { data: data.schedules, total: data.total })}
                total={data?.total}
                rowKey={({ schedule_id: id }) => id}
                onOpen={({ schedule_id: id }) => setOpenId(id)}
                isOpen={({ schedule_id: id }) => id === openId}
              />
              <div className={styles['foot']}>{create}</div>
            </>
          )}
        </Surface>
      )}
      <Pager order="oldest first" page={page} total={data?.total} onPage={setPage} />
      <Suspense>
        {isCreating ? (
          <CreateSchedule
            flow={flow.id}
            onClose={() => setCreating(false)}
            onCreated={async (id) => {
              await refresh()
              setCreating(false)
              setOpenId(id)
            }}
          />
        ) : null}
        {openId === undefined ? null : (
          <ScheduleDrawer key={openId} id={openId} onChanged={refresh} onClose={() => setOpenId(undefined)} />
        )}
      </Suspense>
    </>
  )
}

const columns: ReadonlyArray<Column<Schedule>> = [
  {
    title: 'Schedule',
    value: nameOf,
    minWidth: 160,
    placeholderWidth: 140,
    cell: (schedule) => nameOf(schedule),
  },
  {
    title: 'Frequency',
    value: ({ cron }) => describeCron(cron) ?? cron,
    minWidth: 160,
    placeholderWidth: 160,
    cell: ({ cron, timezone }) => (
      <span title={`${cron}, ${timezone}`}>{describeCron(cron) ?? <code>{cron}</code>}</span>
    ),
  },
  ...stateColumns,
  {
    title: 'Last run',
    value: ({ recent: [run] }) => run?.due_at ?? null,
    minWidth: 96,
    placeholderWidth: 80,
    cell: ({ recent: [run] }) => (run === undefined ? <span data-none>–</span> : <RunOutcome run={run} />),
  },
  {
    title: 'Next run',
    value: ({ next_run_at: at }) => at,
    numeric: true,
    placeholderWidth: 56,
    cell: ({ next_run_at: at }) =>
      at === null ? '–' : <RelativeTime at={new Date(at * 1000).toISOString()} />,
  },
]
