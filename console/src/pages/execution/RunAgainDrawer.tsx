import '../../theme/mantine-form.css'
import { Radio, Textarea } from '@mantine/core'
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
import { inputQuery, type Trace } from '../executions/execution-queries.ts'
import { diffQuery } from '../workflows/flow-queries.ts'
import { useFlowOfRun } from './flow-of-run.ts'
import styles from './RunAgainDrawer.module.css'
import { readObject } from './read-object.ts'

type Version = 'same' | 'latest'

interface RunAgainDrawerProps {
  readonly trace: Trace
  /** The version to begin with. */
  readonly wanted: Version
  readonly onClose: () => void
}

/** Runs the workflow of an execution again from its first step, with the same or another input. */
export default function RunAgainDrawer({ trace, wanted, onClose }: RunAgainDrawerProps) {
  const { data: input, error, refetch } = useQuery(inputQuery(useApi(), trace.execution_id))
  return (
    <SideDrawer title="Run again" onClose={onClose} holdsInput>
      {error === null ? null : (
        <FailureNotice
          what="The input of the run could not be loaded."
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {input === undefined ? null : (
        <RunAgainForm trace={trace} wanted={wanted} onClose={onClose} {...input} />
      )}
    </SideDrawer>
  )
}

interface RunAgainFormProps extends RunAgainDrawerProps {
  readonly context: object
  readonly memory: object
}

function RunAgainForm({ trace, wanted, context, memory, onClose }: RunAgainFormProps) {
  const navigate = useNavigate()
  const flow = useFlowOfRun(trace)
  const [version, setVersion] = useState<Version>(wanted)
  const [given, setGiven] = useState(() => JSON.stringify(context, null, 2))
  const [remembered, setRemembered] = useState(() => JSON.stringify(memory, null, 2))
  const [contextRead, memoryRead] = [readObject(given), readObject(remembered)]
  const latest = flow?.current_revision
  const submission = useSubmission({
    fields: ['context', 'memory'],
    send: async ({ client }) => {
      if (contextRead.value === undefined || memoryRead.value === undefined)
        throw new Error('The input is not a JSON object.')
      return await bodyOf(
        client.POST('/ai-workflows/api/executions/{execution_id}/rerun', {
          params: { path: { execution_id: trace.execution_id } },
          body: { version, context: contextRead.value, memory: memoryRead.value },
        }),
      )
    },
    async onDone({ execution_id, flow_version, approval }) {
      await navigate({ to: '/executions/$execution', params: { execution: execution_id }, search: {} })
      await notify({
        title: `Version ${flow_version} is running`,
        message: approval === 'pending' ? 'It needs approval first.' : 'This is the page of the new run.',
      })
    },
  })
  return (
    <Form
      submission={submission}
      submitLabel="Run"
      failureSentence="The run was not started."
      onCancel={onClose}
    >
      <Radio.Group label="Version" value={version} onChange={setVersion}>
        <div className={styles['versions']}>
          <Radio
            value="same"
            label={`Same version (${trace.flow_version})`}
            description="The version of this run."
          />
          <Radio
            value="latest"
            label={latest === undefined ? 'Latest version' : `Latest version (${latest})`}
            description={
              latest === trace.flow_version
                ? 'There is no newer version.'
                : latest === undefined
                  ? 'The newest saved version.'
                  : undefined
            }
          />
        </div>
      </Radio.Group>
      {version === 'latest' && latest !== undefined && latest !== trace.flow_version ? (
        <Changes flow={trace.flow_id} from={trace.flow_version} to={latest} />
      ) : null}
      <Textarea
        label="Input"
        data-autofocus
        description="The values that placeholders and conditions use, as JSON."
        autosize
        minRows={6}
        maxRows={18}
        spellCheck={false}
        classNames={{ input: styles['code'] ?? '' }}
        value={given}
        error={contextRead.problem ?? submission.problemOf('context')}
        onChange={({ currentTarget }) => setGiven(currentTarget.value)}
      />
      <details open={memoryRead.problem !== undefined || undefined}>
        <summary>Shared memory at the start</summary>
        <Textarea
          aria-label="Shared memory at the start"
          autosize
          minRows={3}
          maxRows={12}
          spellCheck={false}
          classNames={{ input: styles['code'] ?? '' }}
          value={remembered}
          error={memoryRead.problem ?? submission.problemOf('memory')}
          onChange={({ currentTarget }) => setRemembered(currentTarget.value)}
        />
      </details>
    </Form>
  )
}

/** More changes are listed by the page of the workflow. */
const maxChanges = 8

/** What differs between the two versions. */
function Changes({ flow, from, to }: { flow: string; from: number; to: number }) {
  const { data } = useQuery(diffQuery(useApi(), { id: flow, from, to }))
  if (data === undefined || data.summary.length === 0) return null
  return (
    <ul className={styles['changes']} aria-label={`Changes since version ${from}`}>
      {data.summary.slice(0, maxChanges).map((change) => (
        <li key={change}>{change}</li>
      ))}
    </ul>
  )
}
