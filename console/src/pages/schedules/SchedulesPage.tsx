import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useApi } from '../../api/api-context.ts'
import { pageSize } from '../../api/read-all.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { useMay } from '../../api/use-may.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { Page } from '../../parts/Page.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { SearchField } from '../../parts/SearchField.tsx'
import { Surface } from '../../parts/Section.tsx'
import { StreamStatus } from '../../parts/StreamStatus.tsx'
import { type Column, rowsOf, Table } from '../../parts/Table.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { useExecutionNews } from '../executions/use-execution-news.ts'
import { describeCron } from './describe-cron.ts'
import { RunOutcome } from './LastRuns.tsx'
import { RunSchedule } from './RunSchedule.tsx'
import styles from './SchedulesPage.module.css'
import { stateColumns } from './schedule-columns.tsx'
import { type Schedule, schedulesQuery } from './schedule-queries.ts'
import { readScheduleSearch, type ScheduleSearch } from './schedule-search.ts'
import { nameOf } from './schedule-words.ts'

const CreateSchedule = lazyPart(() =>
  import('./ScheduleDrawer.tsx').then(({ CreateSchedule: it }) => ({ default: it })),
)
const ScheduleDrawer = lazyPart(() => import('./ScheduleDrawer.tsx'))
const route = getRouteApi('/schedules')

/** The queries to refetch on execution events: a due schedule starts an execution. */
const changedByExecutions = [
  ['schedules', 'list'],
  ['schedules', 'one'],
] as const

/** The schedules: next run, and the outcomes of the last runs. */
export function SchedulesPage() {
  // Invalid search parameters stay in the URL and are dropped here.
  const search = readScheduleSearch({ ...route.useSearch() })
  const { flow, page = 1, schedule: openId, create } = search
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const mayCreate = useMay('run workflows')
  const streamState = useExecutionNews(changedByExecutions)
  const { data, failure, refetch } = useApiQuery(schedulesQuery(useApi(), search))
  const refresh = () => cache.invalidateQueries({ queryKey: ['schedules'] })
  const show = (dialog: Pick<ScheduleSearch, 'schedule' | 'create'>) =>
    void navigate({ search: readScheduleSearch({ flow, page, ...dialog }), resetScroll: false })

  return (
    <Page
      title="Schedules"
      lead="Workflows that run at set times, with their next run and how the last ones ended."
      aside={
        <>
          <StreamStatus state={streamState} />
          {mayCreate ? (
            <Button
              size="compact-sm"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => show({ create: true })}
            >
              Create schedule
            </Button>
          ) : null}
        </>
      }
    >
      <ListTools count={countText(data?.total)}>
        {/* The filter of the table finds workflows, too, while the browser has the whole list. */}
        {flow === undefined && (data?.total ?? 0) <= pageSize ? null : (
          <SearchField
            label="Workflow ID"
            text={flow}
            onChange={(text) => void navigate({ search: readScheduleSearch({ flow: text }), replace: true })}
          />
        )}
      </ListTools>
      {data === undefined && failure !== null ? (
        <FailureNotice
          what="The schedules could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <>
          <Surface>
            <ScheduleTable
              schedules={rowsOf(data && { data: data.schedules, total: data.total })}
              total={data?.total}
              openId={openId}
              isFiltered={flow !== undefined}
              onCreate={mayCreate ? () => show({ create: true }) : undefined}
              onShowAll={() => void navigate({ search: {}, replace: true })}
              onOpen={(id) => show({ schedule: id })}
            />
          </Surface>
          <Pager
            order="oldest first"
            page={page}
            total={data?.total}
            onPage={(wanted, { replace }) =>
              void navigate({ search: (now) => ({ ...now, page: wanted }), replace })
            }
          />
        </>
      )}
      <Suspense>
        {create === true && mayCreate ? (
          <CreateSchedule
            flow={flow}
            onClose={() => show({})}
            onCreated={async (id) => {
              await refresh()
              show({ schedule: id })
            }}
          />
        ) : null}
        {openId === undefined ? null : (
          <ScheduleDrawer key={openId} id={openId} onChanged={refresh} onClose={() => show({})} />
        )}
      </Suspense>
    </Page>
  )
}

function countText(total: number | undefined): string | undefined {
  if (total === undefined) return undefined
  return total === 1 ? '1 schedule' : `${total.toLocaleString()} schedules`
}

interface ScheduleTableProps {
  /** The number of rows on all pages. */
  readonly total: number | undefined
  readonly schedules: readonly Schedule[] | undefined
  readonly openId: string | undefined
  readonly isFiltered: boolean
  /** Undefined without the permission to create schedules. */
  readonly onCreate: (() => void) | undefined
  readonly onShowAll: () => void
  readonly onOpen: (id: string) => void
}

const columns: ReadonlyArray<Column<Schedule>> = [
  {
    title: 'Schedule',
    value: nameOf,
    text: (schedule) => `${nameOf(schedule)} ${schedule.flow_id}`,
    minWidth: 160,
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
    title: 'Frequency',
    value: ({ cron }) => describeCron(cron) ?? cron,
    minWidth: 160,
    placeholderWidth: 160,
    cell: ({ cron, timezone }) => (
      <span className={styles['name']}>
        <span title={cron}>{describeCron(cron) ?? <code>{cron}</code>}</span>
        <span className={styles['about']}>{timezone}</span>
      </span>
    ),
  },
  ...stateColumns,
  {
    title: 'Last run',
    value: ({ recent: [run] }) => run?.due_at ?? null,
    minWidth: 112,
    placeholderWidth: 80,
    cell: ({ recent: [run] }) =>
      run === undefined ? (
        <span data-none>–</span>
      ) : (
        <span className={styles['name']}>
          <RunOutcome run={run} />
          <span className={styles['about']}>
            <RelativeTime at={new Date(run.due_at * 1000).toISOString()} />
          </span>
        </span>
      ),
  },
  {
    title: 'Next run',
    value: ({ next_run_at: at }) => at,
    numeric: true,
    minWidth: 72,
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

/** The table of schedules. A row opens the details of its schedule. */
function ScheduleTable(props: ScheduleTableProps) {
  const { schedules, total, openId, isFiltered, onCreate, onShowAll, onOpen } = props
  if (schedules?.length === 0) {
    return (
      <EmptyState
        sentence={
          isFiltered
            ? 'No schedules for this workflow.'
            : 'No schedules yet. A schedule runs a workflow at set times, such as every hour or every morning.'
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
        link={<Link to="/workflows">View workflows</Link>}
      />
    )
  }
  return (
    <Table
      label="Schedules"
      name="main"
      columns={columns}
      rows={schedules}
      total={total}
      rowKey={({ schedule_id }) => schedule_id}
      placeholderRows={3}
      onOpen={({ schedule_id }) => onOpen(schedule_id)}
      isOpen={({ schedule_id }) => schedule_id === openId}
    />
  )
}
