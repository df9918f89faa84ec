import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { bodyOf } from '../../../api/api.ts'
import { useApi } from '../../../api/api-context.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { EmptyState } from '../../../parts/EmptyState.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Section } from '../../../parts/Section.tsx'
import { Skeleton } from '../../../parts/Skeleton.tsx'
import { Status } from '../../../parts/Status.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import type { ExecutionEntry } from '../../executions/execution-queries.ts'
import { describeExecution } from '../../executions/execution-words.ts'
import { ProgressBar } from '../../executions/ProgressBar.tsx'
import { describeCron } from '../../schedules/describe-cron.ts'
import type { Schedule } from '../../schedules/schedule-queries.ts'
import { nameOf } from '../../schedules/schedule-words.ts'
import { sampleContext } from '../../workflow/sample-context.ts'
import type { OverviewAccess } from '../overview-access.ts'
import { Approval } from './Approval.tsx'
import { TodaySummary } from './TodaySummary.tsx'
import styles from './today.module.css'
import { approvalsQuery, ownSchedulesQuery } from './today-queries.ts'
import { describeCount } from './today-words.ts'
import { nextOf, type Today, useToday } from './use-today.ts'

/** Running and failed executions, approvals and next runs. */
export function TodayTab({ access }: { access: OverviewAccess }) {
  const today = useToday(access)
  return (
    <>
      <TodaySummary access={access} today={today} />
      {today.own?.total === 0 ? <FirstRun /> : null}
      {access.manages ? <Approvals account={access.account} /> : null}
      {access.lists ? <Executions today={today} /> : null}
      {access.runs ? <NextRuns account={access.account} /> : null}
    </>
  )
}

function Executions({ today }: { today: ReturnType<typeof useToday> }) {
  if (today.failure !== null) {
    return (
      <FailureNotice what="The executions could not be loaded." error={today.failure} onRetry={today.retry} />
    )
  }
  return (
    <>
      <RunningExecutions running={today.running} queued={today.queued} />
      <FailedToday failed={today.failed} />
    </>
  )
}

/** Executions that wait for approval, approved or rejected in place. */
function Approvals({ account }: { account: string }) {
  const { data, failure, refetch } = useApiQuery(approvalsQuery(useApi()))
  const list = useRef<HTMLDivElement>(null)
  const waiting = data?.approvals
  return (
    <Section
      title="Approvals"
      note={data === undefined || data.total === 0 ? undefined : `${data.total.toLocaleString()} pending`}
    >
      {/* A decided approval disappears together with the focus; the list then receives the focus. */}
      <div ref={list} tabIndex={-1} aria-busy={data === undefined && failure === null}>
        {data === undefined && failure !== null ? (
          <FailureNotice
            what="The pending approvals could not be loaded."
            error={failure}
            onRetry={() => void refetch()}
          />
        ) : waiting === undefined ? (
          <p className={styles['none']}>
            <Skeleton width={200} />
          </p>
        ) : waiting.length === 0 ? (
          <p className={styles['none']}>No pending approvals.</p>
        ) : (
          <ul className={styles['approvals']} aria-label="Pending approvals">
            {waiting.map((approval) => (
              <Approval
                key={approval.execution_id}
                approval={approval}
                account={account}
                onDecided={() => list.current?.focus()}
              />
            ))}
          </ul>
        )}
      </div>
    </Section>
  )
}

/** A built-in flow that needs only a text. */
const firstFlow = 'summarise_and_translate'

/** For users without executions: one click to a first execution, which needs no external model. */
function FirstRun() {
  const api = useApi()
  const navigate = useNavigate()
  const cache = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      bodyOf(
        api.client.POST('/ai-workflows/api/execute-flow-async', {
          body: {
            flow_id: firstFlow,
            context: sampleContext([]),
            options: { ai_options: { preferred_providers: ['builtin'], fallback_enabled: false } },
          },
        }),
      ),
    async onSuccess({ execution_id }) {
      // The lists are refetched first: a user who navigates back must see the first run.
      await cache.invalidateQueries({ queryKey: ['executions', 'list'] })
      await navigate({ to: '/executions/$execution', params: { execution: execution_id } })
    },
  })
  const run = () => {
    if (!isPending) mutate()
  }
  return (
    <Section title="Your first run">
      <EmptyState
        sentence="No runs yet. A built-in workflow summarises a short text with the built-in model: no API key, no cost, a few seconds."
        action={
          <Button size="sm" aria-disabled={isPending} onClick={run}>
            Run it now
          </Button>
        }
        link={
          <Link to="/workflows/$flow" params={{ flow: firstFlow }}>
            View the workflow
          </Link>
        }
      />
      {error === null ? null : (
        <FailureNotice what="The execution was not started." error={error} onRetry={run} />
      )}
    </Section>
  )
}

/** The maximum number of failed executions shown. */
const maxFailed = 8

const failedColumns: ReadonlyArray<Column<ExecutionEntry>> = [
  {
    title: 'Workflow',
    minWidth: 176,
    placeholderWidth: 140,
    cell: (entry) => <ExecutionLink execution={entry} />,
  },
  {
    title: 'Error',
    placeholderWidth: 200,
    cell: ({ error_message: why }) => (
      <span className={styles['reason']}>{why ?? <Status tone="bad" word="Failed" />}</span>
    ),
  },
  {
    title: 'Failed',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ finished_at: at }) =>
      at === null ? '–' : <RelativeTime at={new Date(at * 1000).toISOString()} />,
  },
]

/** Executions that failed since midnight, each a link to its recovery. */
function FailedToday({ failed }: Pick<Today, 'failed'>) {
  const all = failed?.executions
  return (
    <Section
      title="Failed today"
      note={all !== undefined && all.length > maxFailed ? `latest ${maxFailed} of ${all.length}` : undefined}
      aside={
        <Link to="/executions" search={{ status: 'failed' }}>
          View failed runs
        </Link>
      }
    >
      {all?.length === 0 ? (
        <p className={styles['none']}>No failures today.</p>
      ) : (
        <Table
          label="Failed today"
          columns={failedColumns}
          rows={all?.slice(0, maxFailed)}
          rowKey={({ execution_id }) => execution_id}
          placeholderRows={1}
        />
      )}
    </Section>
  )
}

const maxNextRuns = 5

const nextRunColumns: ReadonlyArray<Column<Schedule & { readonly next_run_at: number }>> = [
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
function NextRuns({ account }: { account: string }) {
  const { data, failure, refetch } = useApiQuery(ownSchedulesQuery(useApi(), account))
  const rows = data === undefined ? undefined : nextOf(data, maxNextRuns)
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
          columns={nextRunColumns}
          rows={rows}
          rowKey={({ schedule_id }) => schedule_id}
          placeholderRows={1}
        />
      )}
    </Section>
  )
}

const runningColumns: ReadonlyArray<Column<ExecutionEntry>> = [
  {
    title: 'Workflow',
    minWidth: 176,
    placeholderWidth: 140,
    cell: (entry) => <ExecutionLink execution={entry} />,
  },
  {
    title: 'State',
    minWidth: 128,
    placeholderWidth: 80,
    cell: (entry) => <Status {...describeExecution(entry)} />,
  },
  {
    title: 'Progress',
    minWidth: 96,
    placeholderWidth: 80,
    cell: ({ progress }) => <ProgressBar percentage={progress} />,
  },
  {
    title: 'Since',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ started_at: started, created_at: created }) => (
      <RelativeTime at={new Date((started ?? created) * 1000).toISOString()} />
    ),
  },
]

/** Running and queued executions. */
function RunningExecutions({ running, queued }: Pick<Today, 'running' | 'queued'>) {
  const isKnown = running !== undefined && queued !== undefined
  const rows = isKnown ? [...running.executions, ...queued.executions] : undefined
  return (
    <Section
      title="Running"
      note={isKnown ? countText(running.total, queued.total) : undefined}
      aside={<Link to="/executions">View all executions</Link>}
    >
      {rows?.length === 0 ? (
        <p className={styles['none']}>No running or queued executions.</p>
      ) : (
        <Table
          label="Running"
          columns={runningColumns}
          rows={rows}
          rowKey={({ execution_id }) => execution_id}
          placeholderRows={1}
        />
      )}
    </Section>
  )
}

function countText(running: number, queued: number): string | undefined {
  if (running + queued === 0) return undefined
  return `${describeCount(running, 'runs', 'run')}, ${describeCount(queued, 'waits', 'wait')}`
}

/** An execution by its flow and the end of its id, linked to its page. */
function ExecutionLink({ execution }: { execution: Pick<ExecutionEntry, 'execution_id' | 'flow_label'> }) {
  const { execution_id: id, flow_label: label } = execution
  return (
    <span>
      <Link to="/executions/$execution" params={{ execution: id }}>
        {label}
      </Link>
      <span className={styles['id']}>{id.slice(-12)}</span>
    </span>
  )
}
