import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { OutcomeBar } from '../../parts/OutcomeBar.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { describeDuration } from '../../time/describe-time.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import styles from './SchedulesPage.module.css'
import type { Schedule } from './schedule-queries.ts'
import { describeCounts, describeRun, outcomeOf, type RecentRun } from './schedule-words.ts'

/** The runs that show before "Show all". */
const shownFirst = 8

const columns: ReadonlyArray<Column<RecentRun>> = [
  {
    title: 'Time',
    value: ({ due_at: at }) => at,
    minWidth: 96,
    cell: ({ due_at: at, kind }) => (
      <>
        <RelativeTime at={new Date(at * 1000).toISOString()} />
        {kind === 'manual' ? <span className={styles['about']}>manual</span> : null}
      </>
    ),
  },
  {
    title: 'Outcome',
    value: (run) => describeRun(run).word,
    minWidth: 120,
    cell: (run) => (
      <>
        <RunOutcome run={run} />
        {run.error === null ? null : <span className={styles['about']}>{run.error.message}</span>}
      </>
    ),
  },
  {
    title: 'Attempts',
    value: ({ tries }) => tries,
    numeric: true,
    cell: ({ tries }) => tries.toLocaleString(),
  },
  {
    title: 'Duration',
    value: ({ duration }) => duration,
    numeric: true,
    cell: ({ duration }) => (duration === null ? '–' : describeDuration(duration)),
  },
]

/** The last runs of a schedule: a row of outcomes, and a table of them. */
export function LastRuns({ schedule }: { schedule: Pick<Schedule, 'recent' | 'runs'> }) {
  const { recent, runs } = schedule
  const [all, setAll] = useState(false)
  if (recent.length === 0) return <DrawerSection title="Last runs" about="No runs yet." />
  return (
    <DrawerSection
      title="Last runs"
      about={
        runs.failed_tries === 0
          ? `${describeCounts(runs)}.`
          : `${describeCounts(runs)}. Failed attempts to start: ${runs.failed_tries.toLocaleString()}.`
      }
      ways={
        all || recent.length <= shownFirst ? undefined : (
          <Button size="compact-sm" variant="default" onClick={() => setAll(true)}>
            Show all {recent.length}
          </Button>
        )
      }
    >
      <OutcomeBar outcomes={recent.map(outcomeOf)} />
      <Table
        label="Last runs"
        columns={columns}
        rows={all ? recent : recent.slice(0, shownFirst)}
        total={recent.length}
        rowKey={({ due_at: at, kind }) => `${at} ${kind}`}
      />
    </DrawerSection>
  )
}

/** The outcome of a run, as a link to its execution. */
export function RunOutcome({ run }: { run: RecentRun }) {
  const { execution_id: execution, outcome } = run
  const status = <Status {...describeRun(run)} />
  if (execution === null || outcome === 'expired') return status
  return (
    <Link
      to="/executions/$execution"
      params={{ execution }}
      className={styles['outcome']}
      onClick={(click) => click.stopPropagation()}
    >
      {status}
    </Link>
  )
}
