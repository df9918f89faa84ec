import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { sampleContext } from '../flow/sample-context.ts'
import { flowQuery } from '../flows/flow-queries.ts'
import { ScheduleFields } from './ScheduleFields.tsx'
import { bodyOfDraft, newDraft, scheduleFields } from './schedule-draft.ts'

interface CreateScheduleProps {
  /** The flow it begins with. */
  readonly flow: string | undefined
  readonly onCreated: (id: string) => Promise<void>
  readonly onClose: () => void
}

/** A flow, a time and what it works on. */
export default function CreateSchedule({ flow, onCreated, onClose }: CreateScheduleProps) {
  const api = useApi()
  const [draft, setDraft] = useState(() => ({
    ...newDraft(new Intl.DateTimeFormat().resolvedOptions().timeZone),
    flow: flow ?? '',
  }))
  const { data: chosen } = useQuery({
    ...flowQuery(api, { id: draft.flow }),
    enabled: draft.flow !== '',
  })
  const context = draft.context ?? JSON.stringify(sampleContext(chosen?.required_inputs ?? []), null, 2)
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
