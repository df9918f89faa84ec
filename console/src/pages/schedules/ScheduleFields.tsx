import '../../theme/mantine-form.css'
import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '../../api/api-context.ts'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Status } from '../../parts/Status.tsx'
import type { Submission } from '../../parts/use-submission.ts'
import { readObject } from '../execution/read-object.ts'
import { describeCron } from './describe-cron.ts'
import styles from './NextTimes.module.css'
import { NextTimes } from './NextTimes.tsx'
import { type ScheduleDraft, timezonesWith } from './schedule-draft.ts'
import { flowChoicesQuery, previewQuery } from './schedule-queries.ts'

interface ScheduleFieldsProps {
  readonly draft: ScheduleDraft
  /** The text of the context field. */
  readonly context: string
  readonly onChange: (draft: ScheduleDraft) => void
  readonly problemOf: Submission['problemOf']
}

const overlaps = [
  { value: 'skip', label: 'Skip the run' },
  { value: 'queue', label: 'Wait until it finishes' },
]

/** The fields of a schedule. */
export function ScheduleFields({ draft, context, onChange, problemOf }: ScheduleFieldsProps) {
  const { data: flows } = useQuery(flowChoicesQuery(useApi()))
  const { flow, cron, timezone } = draft
  const zones = useMemo(() => timezonesWith(timezone), [timezone])
  const change = (part: Partial<ScheduleDraft>) => onChange({ ...draft, ...part })
  const isListed = flow === '' || flows === undefined || flows.some(({ value }) => value === flow)
  return (
    <>
      <NativeSelect
        label="Workflow"
        data-autofocus
        data={[
          ...(flow === '' ? [{ value: '', label: 'Select a workflow' }] : []),
          ...(flows === undefined && flow !== '' ? [{ value: flow, label: flow }] : []),
          ...(isListed ? [] : [{ value: flow, label: `${flow} (deleted)` }]),
          ...(flows ?? []),
        ]}
        value={flow}
        error={problemOf('flow_id')}
        onChange={({ currentTarget }) => change({ flow: currentTarget.value })}
      />
      <TextInput
        label="Name"
        description="Display name. Defaults to the name of the workflow."
        value={draft.label}
        error={problemOf('label')}
        onChange={({ currentTarget }) => change({ label: currentTarget.value })}
      />
      <TextInput
        label="Cron expression"
        description="Minute, hour, day of month, month, day of week. Example: 0 9 * * 1-5 runs at 9:00 from Monday to Friday."
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
        label="Input"
        description="Input of each run as JSON."
        autosize
        minRows={4}
        maxRows={20}
        value={context}
        error={readObject(context).problem ?? problemOf('context')}
        onChange={({ currentTarget }) => change({ context: currentTarget.value })}
      />
      <NativeSelect
        label="If the previous run is still running"
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

/** The preview is requested after the user has stopped typing for this long. */
const restMs = 300

/** The description of a cron expression, where there is one, and its next runs. */
function CronPreview({ cron, timezone }: { cron: string; timezone: string }) {
  const [typed] = useDebouncedValue(cron.trim(), restMs)
  const { data, error } = useQuery(previewQuery(useApi(), { cron: typed, timezone }))
  const words = describeCron(typed)
  return (
    <section className={styles['preview']} aria-label="Schedule preview" aria-live="polite">
      {error !== null ? (
        <Status tone="bad" word={error.message} />
      ) : typed === '' ? (
        <span className={styles['words']}>Enter a cron expression.</span>
      ) : data === undefined ? (
        <Skeleton width={200} />
      ) : (
        <>
          <span className={styles['words']}>
            {words ?? 'Next runs'}, {timezone}
          </span>
          <NextTimes runs={data.next_runs} label="Upcoming runs" />
        </>
      )}
    </section>
  )
}
