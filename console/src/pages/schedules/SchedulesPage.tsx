import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useMay } from '../../api/use-may.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { Page } from '../../parts/Page.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { rowsOf } from '../../parts/rows-of.ts'
import { SearchField } from '../../parts/SearchField.tsx'
import { Surface } from '../../parts/Section.tsx'
import { StreamStatus } from '../../parts/StreamStatus.tsx'
import { useExecutionNews } from '../executions/use-execution-news.ts'
import { ScheduleTable } from './ScheduleTable.tsx'
import { schedulesQuery } from './schedule-queries.ts'
import { readScheduleSearch, type ScheduleSearch } from './schedule-search.ts'

const CreateSchedule = lazy(() => import('./CreateSchedule.tsx'))
const ScheduleDrawer = lazy(() => import('./ScheduleDrawer.tsx'))
const route = getRouteApi('/schedules')

/** A time that comes starts an execution, and that is told. */
const changedByExecutions = [
  ['schedules', 'list'],
  ['schedules', 'one'],
] as const

/** Flows that run by the clock: when next, and what became of the last time. */
export function SchedulesPage() {
  // The address may say what makes no sense, and keeps it.
  const search = readScheduleSearch({ ...route.useSearch() })
  const { flow, page = 1, schedule: openId, create } = search
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const mayCreate = useMay('run workflows')
  const streamState = useExecutionNews(changedByExecutions)
  const { data, failure, refetch } = useAnswer(schedulesQuery(useApi(), search))
  const refresh = () => cache.invalidateQueries({ queryKey: ['schedules'] })
  const show = (dialog: Pick<ScheduleSearch, 'schedule' | 'create'>) =>
    void navigate({ search: readScheduleSearch({ flow, page, ...dialog }), resetScroll: false })

  return (
    <Page
      title="Schedules"
      lead="Flows that run by the clock, in whichever time zone: when next, and what became of the last time."
      aside={
        <>
          <StreamStatus state={streamState} />
          {mayCreate ? (
            <Button
              size="sm"
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
        <SearchField
          label="Flow id"
          text={flow}
          onChange={(text) => void navigate({ search: readScheduleSearch({ flow: text }), replace: true })}
        />
      </ListTools>
      {data === undefined && failure !== null ? (
        <FailureNotice
          what="The schedules could not be read."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <>
          <Surface>
            <ScheduleTable
              schedules={rowsOf(data && { data: data.schedules, total: data.total })}
              openId={openId}
              isFiltered={flow !== undefined}
              onCreate={mayCreate ? () => show({ create: true }) : undefined}
              onShowAll={() => void navigate({ search: {}, replace: true })}
              onOpen={(id) => show({ schedule: id })}
            />
          </Surface>
          <Pager
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
