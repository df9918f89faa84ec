import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { FactsBox } from '../../parts/FactsBox.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Status } from '../../parts/Status.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeCron } from './describe-cron.ts'
import { EditSchedule } from './EditSchedule.tsx'
import { NextTimes } from './NextTimes.tsx'
import { ScheduleSwitch } from './ScheduleSwitch.tsx'
import { type Schedule, scheduleQuery } from './schedule-queries.ts'
import { describeOutcome, nameOf, scheduleStates } from './schedule-words.ts'

interface ScheduleDrawerProps {
  readonly id: string
  readonly onChanged: () => Promise<void>
  readonly onClose: () => void
}

/** One schedule: its next times, what became of the last one, what it is, and the end of it. */
export default function ScheduleDrawer({ id, onChanged, onClose }: ScheduleDrawerProps) {
  const { data: schedule, failure, refetch } = useAnswer(scheduleQuery(useApi(), id))
  const [covered, setCovered] = useState(false)
  return (
    <SideDrawer
      title={schedule === undefined ? 'Schedule' : nameOf(schedule)}
      onClose={onClose}
      returnTo={() => findRow(id)}
      covered={covered}
      holdsInput
    >
      {schedule === undefined ? (
        failure === null ? (
          <Skeleton width={240} />
        ) : (
          <FailureNotice
            what="The schedule could not be read."
            error={failure}
            onRetry={() => void refetch()}
          />
        )
      ) : (
        <>
          <ScheduleFacts schedule={schedule} />
          <DrawerSection
            title="Next runs"
            {...(schedule.next_runs.length === 0 ? { about: 'It does not run again by itself.' } : {})}
          >
            <NextTimes runs={schedule.next_runs} label="Next runs" />
          </DrawerSection>
          <ScheduleSwitch
            schedule={schedule}
            onCovered={setCovered}
            onChanged={onChanged}
            onDeleted={async () => {
              onClose()
              await onChanged()
            }}
          />
          <EditSchedule key={schedule.updated_at} schedule={schedule} onChanged={onChanged} />
        </>
      )}
    </SideDrawer>
  )
}

function ScheduleFacts({ schedule }: { schedule: Schedule }) {
  const { cron, timezone, flow_id: flow, last_run: run, last_execution_id: execution, counts } = schedule
  const outcome = describeOutcome(schedule)
  return (
    <FactsBox
      facts={[
        { name: 'State', value: <Status {...scheduleStates[schedule.status]} /> },
        {
          name: 'Flow',
          value: (
            <Link to="/flows/$flow" params={{ flow }}>
              {flow}
            </Link>
          ),
        },
        { name: 'When', value: `${describeCron(cron) ?? cron}, ${timezone}` },
        {
          name: 'Last time',
          value:
            run === null || outcome === undefined ? (
              'none yet'
            ) : (
              <>
                <Status {...outcome} /> <RelativeTime at={new Date(run.due_at * 1000).toISOString()} />
              </>
            ),
        },
        ...(schedule.last_error === null ? [] : [{ name: 'Why', value: schedule.last_error.message }]),
        {
          name: 'Last execution',
          value:
            execution === null ? (
              'none yet'
            ) : (
              <Link to="/executions/$execution" params={{ execution }}>
                {execution.slice(-12)}
              </Link>
            ),
        },
        {
          name: 'So far',
          value: `${counts.started.toLocaleString()} started, ${counts.skipped.toLocaleString()} skipped, ${counts.failed.toLocaleString()} not started`,
        },
      ]}
    />
  )
}
