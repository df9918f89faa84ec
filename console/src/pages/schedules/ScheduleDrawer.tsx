import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { refetchAfterDelete } from '../../api/queries.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { DangerButton } from '../../parts/DangerButton.tsx'
import { DetailBox } from '../../parts/DetailBox.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Status } from '../../parts/Status.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { inputOfFlow } from '../workflow/flow-input.ts'
import { sampleContext } from '../workflow/sample-context.ts'
import { flowQuery } from '../workflows/flow-queries.ts'
import { describeCron } from './describe-cron.ts'
import { LastRuns, RunOutcome } from './LastRuns.tsx'
import { NextTimes } from './NextTimes.tsx'
import { RunSchedule } from './RunSchedule.tsx'
import { ScheduleFields } from './ScheduleFields.tsx'
import { bodyOfDraft, draftOf, newDraft, scheduleFields } from './schedule-draft.ts'
import { type Schedule, scheduleQuery } from './schedule-queries.ts'
import { describeState, nameOf } from './schedule-words.ts'

interface ScheduleDrawerProps {
  readonly id: string
  readonly onChanged: () => Promise<void>
  readonly onClose: () => void
}

/** One schedule: next runs, outcomes of the last runs, settings, and deleting it. */
export default function ScheduleDrawer({ id, onChanged, onClose }: ScheduleDrawerProps) {
  const cache = useQueryClient()
  const { data: schedule, failure, refetch } = useApiQuery(scheduleQuery(useApi(), id))
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
            what="The schedule could not be loaded."
            error={failure}
            onRetry={() => void refetch()}
          />
        )
      ) : (
        <>
          <ScheduleDetails schedule={schedule} />
          <DrawerSection
            title="Next runs"
            {...(schedule.next_runs.length === 0 ? { about: 'No further runs.' } : {})}
          >
            <NextTimes runs={schedule.next_runs} label="Next runs" />
          </DrawerSection>
          <LastRuns schedule={schedule} />
          <ScheduleSwitch
            schedule={schedule}
            onCovered={setCovered}
            onChanged={onChanged}
            onDeleted={async () => {
              await refetchAfterDelete(cache, {
                lists: { queryKey: ['schedules', 'list'] },
                deleted: ['schedules', 'one', id],
              })
              onClose()
            }}
          />
          <EditSchedule key={schedule.updated_at} schedule={schedule} onChanged={onChanged} />
        </>
      )}
    </SideDrawer>
  )
}

function ScheduleDetails({ schedule }: { schedule: Schedule }) {
  const { cron, timezone, flow_id: flow, counts } = schedule
  const [run] = schedule.recent
  return (
    <DetailBox
      details={[
        { name: 'State', value: <Status {...describeState(schedule)} /> },
        {
          name: 'Workflow',
          value: (
            <Link to="/workflows/$flow" params={{ flow }}>
              {flow}
            </Link>
          ),
        },
        { name: 'Frequency', value: `${describeCron(cron) ?? cron}, ${timezone}` },
        {
          name: 'Last run',
          value:
            run === undefined ? (
              'none'
            ) : (
              <>
                <RunOutcome run={run} /> <RelativeTime at={new Date(run.due_at * 1000).toISOString()} />
              </>
            ),
        },
        ...(run === undefined || run.error === null ? [] : [{ name: 'Reason', value: run.error.message }]),
        {
          name: 'Scheduled runs',
          value: `${counts.started.toLocaleString()} started, ${counts.skipped.toLocaleString()} skipped, ${counts.failed.toLocaleString()} failed to start`,
        },
      ]}
    />
  )
}

interface EditScheduleProps {
  readonly schedule: Schedule
  readonly onChanged: () => Promise<void>
}

/** The settings of a schedule. */
function EditSchedule({ schedule, onChanged }: EditScheduleProps) {
  const [draft, setDraft] = useState(() => draftOf(schedule))
  const context = draft.context ?? '{}'
  const submission = useSubmission({
    fields: scheduleFields,
    send: ({ client }) =>
      bodyOf(
        client.PATCH('/ai-workflows/api/schedules/{id}', {
          params: { path: { id: schedule.schedule_id } },
          body: bodyOfDraft(draft, context),
        }),
      ),
    async onDone({ schedule: saved }) {
      await onChanged()
      await notify({ title: `“${nameOf(saved)}” is saved`, message: 'The change applies immediately.' })
    },
  })
  return (
    <DrawerSection title="Settings">
      <Form submission={submission} submitLabel="Save" failureSentence="Nothing was changed.">
        <ScheduleFields
          draft={draft}
          context={context}
          onChange={setDraft}
          problemOf={submission.problemOf}
        />
      </Form>
    </DrawerSection>
  )
}

interface ScheduleSwitchProps {
  readonly schedule: Schedule
  /** Called when a confirmation dialog opens in front of the drawer, and when it closes. */
  readonly onCovered: (covered: boolean) => void
  readonly onChanged: () => Promise<void>
  readonly onDeleted: () => Promise<void>
}

/** Runs, enables, disables and deletes a schedule. */
function ScheduleSwitch({ schedule, onCovered, onChanged, onDeleted }: ScheduleSwitchProps) {
  const api = useApi()
  const [isAsking, setIsAsking] = useState(false)
  const { schedule_id: id, enabled } = schedule
  const params = { path: { id } }
  const ask = (asking: boolean) => {
    setIsAsking(asking)
    onCovered(asking)
  }
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      bodyOf(api.client.PATCH('/ai-workflows/api/schedules/{id}', { params, body: { enabled: !enabled } })),
    onSuccess: onChanged,
  })
  return (
    <DrawerSection
      title="State"
      about={
        enabled
          ? 'The schedule is enabled.'
          : 'The schedule is disabled. Runs missed meanwhile are skipped when it is enabled again.'
      }
      ways={
        <>
          <RunSchedule schedule={schedule} size="sm" />
          <Button size="sm" variant="default" aria-disabled={isPending} onClick={() => isPending || mutate()}>
            {enabled ? 'Disable' : 'Enable'}
          </Button>
          <DangerButton kind="ask" onClick={() => ask(true)}>
            Delete…
          </DangerButton>
        </>
      }
    >
      {error === null ? null : (
        <FailureNotice what="Nothing was changed." error={error} onRetry={() => mutate()} />
      )}
      {isAsking ? (
        <ConfirmDialog
          title={`Delete “${nameOf(schedule)}”?`}
          confirmLabel="Delete schedule"
          failureSentence="The schedule was not deleted."
          send={({ client }) => bodyOf(client.DELETE('/ai-workflows/api/schedules/{id}', { params }))}
          onDone={onDeleted}
          onClose={() => ask(false)}
        >
          <p>{schedule.flow_id} no longer runs on this schedule. Started executions continue.</p>
        </ConfirmDialog>
      ) : null}
    </DrawerSection>
  )
}

interface CreateScheduleProps {
  /** The preselected flow. */
  readonly flow: string | undefined
  readonly onCreated: (id: string) => Promise<void>
  readonly onClose: () => void
}

/** The form of a new schedule: flow, time and input, which begins with the sample input of the flow. */
export function CreateSchedule({ flow, onCreated, onClose }: CreateScheduleProps) {
  const api = useApi()
  const [draft, setDraft] = useState(() => ({
    ...newDraft(new Intl.DateTimeFormat().resolvedOptions().timeZone),
    flow: flow ?? '',
  }))
  const { data: chosen } = useQuery({
    ...flowQuery(api, { id: draft.flow }),
    enabled: draft.flow !== '',
  })
  const sample = chosen === undefined ? sampleContext([]) : inputOfFlow(chosen)
  const context = draft.context ?? JSON.stringify(sample, null, 2)
  const submission = useSubmission({
    fields: scheduleFields,
    send: ({ client }) =>
      bodyOf(client.POST('/ai-workflows/api/schedules', { body: bodyOfDraft(draft, context) })),
    onDone: ({ schedule_id: id }) => onCreated(id),
  })
  return (
    <SideDrawer title="Create schedule" onClose={onClose} holdsInput>
      <Form
        submission={submission}
        submitLabel="Create schedule"
        failureSentence="The schedule was not created."
        onCancel={onClose}
      >
        <ScheduleFields
          draft={draft}
          context={context}
          onChange={setDraft}
          problemOf={submission.problemOf}
        />
      </Form>
    </SideDrawer>
  )
}
