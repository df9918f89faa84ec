import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { notify } from '../../shell/notify.ts'
import type { Schedule } from './schedule-queries.ts'
import { nameOf } from './schedule-words.ts'

interface RunScheduleProps {
  readonly schedule: Schedule
  readonly size: 'sm' | 'compact-xs'
}

/** Runs a schedule now, independent of its times, and opens the execution. */
export function RunSchedule({ schedule, size }: RunScheduleProps) {
  const api = useApi()
  const navigate = useNavigate()
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      bodyOf(
        api.client.POST('/ai-workflows/api/schedules/{id}/run', {
          params: { path: { id: schedule.schedule_id } },
        }),
      ),
    onSuccess: ({ execution_id: execution }) =>
      navigate({ to: '/executions/$execution', params: { execution } }),
    onError: (error) => notify({ title: `“${nameOf(schedule)}” was not run`, error }),
  })
  return (
    <Button
      size={size}
      variant="default"
      aria-label={`Run now ${nameOf(schedule)}`}
      aria-disabled={isPending}
      onClick={(click) => {
        click.stopPropagation()
        if (!isPending) mutate()
      }}
    >
      Run now
    </Button>
  )
}
