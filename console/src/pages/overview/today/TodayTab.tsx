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
import { sampleContext } from '../../flow/sample-context.ts'
import type { OverviewAccess } from '../overview-access.ts'
import { Approval } from './Approval.tsx'
import { ExecutionLink } from './ExecutionLink.tsx'
import { NextRuns } from './NextRuns.tsx'
import { RunningExecutions } from './RunningExecutions.tsx'
import { TodaySummary } from './TodaySummary.tsx'
import styles from './today.module.css'
import { approvalsQuery } from './today-queries.ts'
import { type Today, useToday } from './use-today.ts'

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
      {/* What was decided about goes, and takes the focus with it; here it finds a place. */}
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

/** For who has run nothing yet: one press to the first execution, with what the platform has itself. */
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
      // The first run is recorded at once, for a user who navigates back.
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
        sentence="No runs yet. A built-in flow summarises a short text with the built-in model: no API key, no cost, a few seconds."
        action={
          <Button size="sm" aria-disabled={isPending} onClick={run}>
            Run it now
          </Button>
        }
        link={
          <Link to="/flows/$flow" params={{ flow: firstFlow }}>
            View the flow
          </Link>
        }
      />
      {error === null ? null : (
        <FailureNotice what="The execution was not started." error={error} onRetry={run} />
      )}
    </Section>
  )
}

/** Enough to begin with. */
const maxShown = 8

const columns: ReadonlyArray<Column<ExecutionEntry>> = [
  {
    title: 'Flow',
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
      note={all !== undefined && all.length > maxShown ? `latest ${maxShown} of ${all.length}` : undefined}
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
          columns={columns}
          rows={all?.slice(0, maxShown)}
          rowKey={({ execution_id }) => execution_id}
          placeholderRows={1}
        />
      )}
    </Section>
  )
}
