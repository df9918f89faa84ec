import '../../theme/mantine-form.css'
import { Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { readObject } from '../execution/read-object.ts'
import { sampleContext } from '../flow/sample-context.ts'
import { type WholeWorkflow, workflowQuery } from './workflow-queries.ts'

/** Queues a workflow, and opens the execution. */
export default function RunWorkflow({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: workflow, failure, refetch } = useApiQuery(workflowQuery(useApi(), id))
  return (
    <SideDrawer title={`Run ${workflow?.label ?? id}`} onClose={onClose} holdsInput>
      {workflow === undefined && failure === null ? <Skeleton width={240} /> : null}
      {workflow === undefined && failure !== null ? (
        <FailureNotice
          what="The workflow could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : null}
      {workflow === undefined ? null : <RunForm workflow={workflow} onCancel={onClose} />}
    </SideDrawer>
  )
}

function RunForm({ workflow, onCancel }: { workflow: WholeWorkflow; onCancel: () => void }) {
  const navigate = useNavigate()
  const [text, setText] = useState(() => JSON.stringify(sampleContext(workflow.required_inputs), null, 2))
  const context = readObject(text)
  const submission = useSubmission({
    fields: ['context'],
    send: async ({ client }) => {
      if (context.value === undefined) throw new Error('The context is not a JSON object.')
      return await bodyOf(
        client.POST('/ai-orchestra/api/execute-workflow', {
          body: { workflow_id: workflow.id, context: context.value, options: { async: true } },
        }),
      )
    },
    onDone: ({ execution_id }) =>
      navigate({ to: '/executions/$execution', params: { execution: execution_id } }),
  })
  return (
    <Form
      submission={submission}
      submitLabel="Run"
      failureSentence="The execution was not started."
      onCancel={onCancel}
    >
      <p>{workflow.description}</p>
      <Textarea
        data-autofocus
        label="Context"
        description="Input of the agents as JSON: the text in `content`, and the other inputs of the workflow."
        autosize
        minRows={8}
        maxRows={24}
        value={text}
        error={context.problem ?? submission.problemOf('context')}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    </Form>
  )
}
