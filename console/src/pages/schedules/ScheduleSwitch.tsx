import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { DangerButton } from '../../parts/DangerButton.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { RunSchedule } from './RunSchedule.tsx'
import type { Schedule } from './schedule-queries.ts'
import { nameOf } from './schedule-words.ts'

interface ScheduleSwitchProps {
  readonly schedule: Schedule
  /** Told when a question stands in front of the drawer, and when it goes. */
  readonly onCovered: (covered: boolean) => void
  readonly onChanged: () => Promise<void>
  readonly onDeleted: () => Promise<void>
}

/** Running it at once, turning it off or on, and the end of it. */
export function ScheduleSwitch({ schedule, onCovered, onChanged, onDeleted }: ScheduleSwitchProps) {
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
      title="Running"
      about={
        enabled
          ? 'It runs by the clock.'
          : 'It does not run by the clock. Turned on again, it leaves out what was meanwhile.'
      }
      ways={
        <>
          <RunSchedule schedule={schedule} size="sm" />
          <Button size="sm" variant="default" aria-disabled={isPending} onClick={() => isPending || mutate()}>
            {enabled ? 'Switch off' : 'Switch on'}
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
          <p>{schedule.flow_id} no longer runs by this schedule. Executions it has started go on.</p>
        </ConfirmDialog>
      ) : null}
    </DrawerSection>
  )
}
