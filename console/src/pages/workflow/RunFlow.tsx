import '../../theme/mantine-form.css'
import { NativeSelect, Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { readObject } from '../execution/read-object.ts'
import type { WholeFlow } from '../workflows/flow-queries.ts'
import { inputOfFlow } from './flow-input.ts'

const priorities = ['low', 'normal', 'high', 'urgent'] as const
type Priority = (typeof priorities)[number]

/** Runs the shown version of the flow, and opens the execution. */
export default function RunFlow({ flow, onClose }: { flow: WholeFlow; onClose: () => void }) {
  const navigate = useNavigate()
  const [text, setText] = useState(() => JSON.stringify(inputOfFlow(flow), null, 2))
  const [priority, setPriority] = useState<Priority>('normal')
  const context = readObject(text)
  const submission = useSubmission({
    fields: ['context', 'options.priority'],
    send: async ({ client }) => {
      if (context.value === undefined) throw new Error('The input is not a JSON object.')
      return await bodyOf(
        client.POST('/ai-workflows/api/execute-flow-async', {
          body: {
            flow_id: flow.id,
            flow_version: flow.revision,
            context: context.value,
            options: { priority },
          },
        }),
      )
    },
    onDone: ({ execution_id }) =>
      navigate({ to: '/executions/$execution', params: { execution: execution_id } }),
  })
  return (
    <SideDrawer title={`Run ${flow.label}`} onClose={onClose} holdsInput>
      <Form
        submission={submission}
        submitLabel="Run"
        failureSentence="The execution was not started."
        onCancel={onClose}
      >
        <Textarea
          label="Input"
          description="The values that placeholders and conditions use, as JSON."
          data-autofocus
          autosize
          minRows={8}
          maxRows={24}
          value={text}
          error={context.problem ?? submission.problemOf('context')}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <NativeSelect
          label="Priority"
          description="Higher priorities leave the queue sooner."
          data={[...priorities]}
          value={priority}
          onChange={({ currentTarget }) => setPriority(currentTarget.value as Priority)}
        />
      </Form>
    </SideDrawer>
  )
}
