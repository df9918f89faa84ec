import '../../theme/mantine-form.css'
import { Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { inputQuery, stepQuery, type TracedStep } from '../executions/execution-queries.ts'
import { readObject } from './read-object.ts'

interface ForkDrawerProps {
  readonly execution: string
  readonly step: TracedStep
  readonly onClose: () => void
}

/** A new execution that starts at a step, with edited context and memory. */
export default function ForkDrawer({ execution, step, onClose }: ForkDrawerProps) {
  const api = useApi()
  const input = useQuery(inputQuery(api, execution))
  const before = useQuery(stepQuery(api, { execution, step: step.step_id, item: 0 }))
  const failed = input.error ?? before.error
  return (
    <SideDrawer title={`Fork from ${step.label ?? step.step_id}`} onClose={onClose} holdsInput>
      {failed === null ? null : (
        <FailureNotice
          what="The input of the step could not be loaded."
          error={failed}
          onRetry={() => void Promise.all([input.refetch(), before.refetch()])}
        />
      )}
      {input.data === undefined || before.data === undefined ? null : (
        <ForkForm
          execution={execution}
          step={step}
          context={input.data.context}
          memory={before.data.memory_before ?? {}}
          onClose={onClose}
        />
      )}
    </SideDrawer>
  )
}

interface ForkFormProps extends ForkDrawerProps {
  readonly context: object
  readonly memory: object
}

function ForkForm({ execution, step, context, memory, onClose }: ForkFormProps) {
  const navigate = useNavigate()
  const [contextText, setContextText] = useState(() => JSON.stringify(context, null, 2))
  const [memoryText, setMemoryText] = useState(() => JSON.stringify(memory, null, 2))
  const [given, remembered] = [readObject(contextText), readObject(memoryText)]
  const submission = useSubmission({
    fields: ['context', 'memory'],
    send: async ({ client }) => {
      if (given.value === undefined || remembered.value === undefined)
        throw new Error('The input is not a JSON object.')
      return await bodyOf(
        client.POST('/ai-workflows/api/executions/{execution_id}/fork', {
          params: { path: { execution_id: execution } },
          body: { from_step: step.step_id, context: given.value, memory: remembered.value },
        }),
      )
    },
    async onDone({ execution_id }) {
      onClose()
      await navigate({ to: '/executions/$execution', params: { execution: execution_id } })
      await notify({
        title: 'The fork is queued',
        message: 'Results of earlier steps are kept.',
      })
    },
  })
  return (
    <Form
      submission={submission}
      submitLabel="Fork"
      failureSentence="The fork was not started."
      onCancel={onClose}
    >
      <Textarea
        label="Input"
        data-autofocus
        description="The values that placeholders and conditions use."
        autosize
        minRows={6}
        maxRows={18}
        value={contextText}
        error={given.problem ?? submission.problemOf('context')}
        onChange={({ currentTarget }) => setContextText(currentTarget.value)}
      />
      <Textarea
        label="Shared memory"
        description="The shared memory when the step starts."
        autosize
        minRows={4}
        maxRows={18}
        value={memoryText}
        error={remembered.problem ?? submission.problemOf('memory')}
        onChange={({ currentTarget }) => setMemoryText(currentTarget.value)}
      />
    </Form>
  )
}
