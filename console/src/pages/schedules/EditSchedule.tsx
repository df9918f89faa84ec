import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { Form } from '../../parts/Form.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { ScheduleFields } from './ScheduleFields.tsx'
import { bodyOfDraft, draftOf, scheduleFields } from './schedule-draft.ts'
import type { Schedule } from './schedule-queries.ts'
import { nameOf } from './schedule-words.ts'

interface EditScheduleProps {
  readonly schedule: Schedule
  readonly onChanged: () => Promise<void>
}

/** What it runs, when and on what. */
export function EditSchedule({ schedule, onChanged }: EditScheduleProps) {
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
      await notify({ title: `“${nameOf(saved)}” is saved`, message: 'The change holds from now on.' })
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
