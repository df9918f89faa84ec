import '../../theme/mantine-form.css'
import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '../../api/api-context.ts'
import type { Submission } from '../../parts/use-submission.ts'
import { readObject } from '../execution/read-object.ts'
import { CronPreview } from './CronPreview.tsx'
import { type ScheduleDraft, timezonesWith } from './schedule-draft.ts'
import { flowChoicesQuery } from './schedule-queries.ts'

interface ScheduleFieldsProps {
  readonly draft: ScheduleDraft
  /** What stands in the context, whoever wrote it. */
  readonly context: string
  readonly onChange: (draft: ScheduleDraft) => void
  readonly problemOf: Submission['problemOf']
}

const overlaps = [
  { value: 'skip', label: 'Leave this time out' },
  { value: 'queue', label: 'Wait until it is over' },
]

/** Everything of a schedule that people decide. */
export function ScheduleFields({ draft, context, onChange, problemOf }: ScheduleFieldsProps) {
  const { data: flows } = useQuery(flowChoicesQuery(useApi()))
  const { flow, cron, timezone } = draft
  const zones = useMemo(() => timezonesWith(timezone), [timezone])
  const change = (part: Partial<ScheduleDraft>) => onChange({ ...draft, ...part })
  const isListed = flow === '' || flows === undefined || flows.some(({ value }) => value === flow)
  return (
    <>
      <NativeSelect
        label="Flow"
        data={[
          ...(flow === '' ? [{ value: '', label: 'Choose a flow' }] : []),
          ...(flows === undefined && flow !== '' ? [{ value: flow, label: flow }] : []),
          ...(isListed ? [] : [{ value: flow, label: `${flow} (gone)` }]),
          ...(flows ?? []),
        ]}
        value={flow}
        error={problemOf('flow_id')}
        onChange={({ currentTarget }) => change({ flow: currentTarget.value })}
      />
      <TextInput
        label="Name"
        description="What people call it. Without one it goes by its flow."
        value={draft.label}
        error={problemOf('label')}
        onChange={({ currentTarget }) => change({ label: currentTarget.value })}
      />
      <TextInput
        label="When"
        description="Minute, hour, day of the month, month, day of the week: 0 9 * * 1-5 is 9:00 from Monday to Friday."
        value={cron}
        error={problemOf('cron')}
        spellCheck={false}
        onChange={({ currentTarget }) => change({ cron: currentTarget.value })}
      />
      <NativeSelect
        label="Time zone"
        data={[...zones]}
        value={timezone}
        error={problemOf('timezone')}
        onChange={({ currentTarget }) => change({ timezone: currentTarget.value })}
      />
      <CronPreview cron={cron} timezone={timezone} />
      <Textarea
        label="Context"
        description="What each run works on, as JSON."
        autosize
        minRows={4}
        maxRows={20}
        value={context}
        error={readObject(context).problem ?? problemOf('context')}
        onChange={({ currentTarget }) => change({ context: currentTarget.value })}
      />
      <NativeSelect
        label="When the run before is not over"
        data={overlaps}
        value={draft.overlap}
        error={problemOf('overlap')}
        onChange={({ currentTarget }) =>
          change({ overlap: currentTarget.value === 'queue' ? 'queue' : 'skip' })
        }
      />
    </>
  )
}
