import '../../../theme/mantine-form.css'
import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { bodyOf } from '../../../api/api.ts'
import { useApi } from '../../../api/api-context.ts'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Form } from '../../../parts/Form.tsx'
import { SideDrawer } from '../../../parts/SideDrawer.tsx'
import { useSubmission } from '../../../parts/use-submission.ts'
import { notify } from '../../../shell/notify.ts'
import { describeMinute } from '../../../time/describe-time.ts'
import { executionsQuery } from '../../executions/execution-queries.ts'
import { isUnderWay, stateWords } from '../../executions/execution-words.ts'
import type { WholeFlow } from '../../workflows/flow-queries.ts'
import { type Condition, readConditions } from './read-conditions.ts'

interface RecordTestProps {
  readonly flow: WholeFlow
  readonly onClose: () => void
  readonly onSaved: () => Promise<void>
}

/** Saves a test: the input and the answers of a finished run, and the conditions its replay must meet. */
export default function RecordTest({ flow, onClose, onSaved }: RecordTestProps) {
  const { data, error, refetch } = useQuery(executionsQuery(useApi(), { flow: flow.id }))
  const runs = data?.executions.filter(({ status }) => !isUnderWay(status)) ?? []
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string>()
  const [text, setText] = useState('')
  const execution = chosen ?? runs[0]?.execution_id
  const conditions = readConditions(text)
  const submission = useSubmission({
    fields: ['name', 'from_execution', 'expect'],
    send: async ({ client }) => {
      if (conditions.value === undefined) throw new Error('The conditions are not a JSON list.')
      if (execution === undefined) throw new Error('This workflow has no finished run yet. Run it first.')
      return await bodyOf(
        client.PUT('/ai-workflows/api/flows/{id}/tests/{name}', {
          params: { path: { id: flow.id, name: name.trim() } },
          body: { from_execution: execution, expect: [...conditions.value] as Condition[] as never },
        }),
      )
    },
    async onDone(test) {
      await onSaved()
      onClose()
      await notify({ title: `The test “${test.name}” is saved` })
    },
  })
  return (
    <SideDrawer title="Record a test" onClose={onClose} holdsInput>
      {error === null ? null : (
        <FailureNotice what="The runs could not be loaded." error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined ? null : (
        <Form
          submission={submission}
          submitLabel="Save test"
          failureSentence="The test was not saved."
          onCancel={onClose}
        >
          <TextInput
            label="Name"
            description="Letters, digits, dots, hyphens and underscores."
            maxLength={100}
            value={name}
            error={submission.problemOf('name')}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <NativeSelect
            label="Recorded run"
            description={
              runs.length === 0
                ? 'This workflow has no finished run yet. Run it first.'
                : 'Its input, and the answers of models and services.'
            }
            data={runs.map(({ execution_id: id, status, created_at: at }) => ({
              value: id,
              label: `${describeMinute(new Date(at * 1000))}, ${stateWords[status].word.toLowerCase()}`,
            }))}
            value={execution ?? ''}
            error={submission.problemOf('from_execution')}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          />
          <Textarea
            label="Expected (optional)"
            description='A JSON list of conditions, such as [{"field": "result", "operator": "contains", "value": "sea"}]. Default: the run completes.'
            autosize
            minRows={3}
            maxRows={12}
            spellCheck={false}
            value={text}
            error={conditions.problem ?? submission.problemOf('expect')}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        </Form>
      )}
    </SideDrawer>
  )
}
