import '../../theme/mantine-form.css'
import '../../theme/mantine-modal.css'
import { Modal, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { type Api, bodyOf } from '../../api/api.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { Form } from '../../parts/Form.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import type { ExecutionEntry } from './execution-queries.ts'
import { type RecoveryAction, recoveryActions } from './execution-words.ts'

interface CancelSomeProps {
  readonly executions: readonly Pick<ExecutionEntry, 'execution_id' | 'flow_label'>[]
  readonly onDone: () => Promise<void>
  readonly onClose: () => void
}

/** Confirms the cancellation of executions. */
export default function CancelSome({ executions, onDone, onClose }: CancelSomeProps) {
  const [sent, setSent] = useState(0)
  const [first] = executions
  const what = executions.length === 1 ? `“${first?.flow_label}”` : `${executions.length} executions`
  const cancelAll = ({ client }: Api) =>
    inHundreds(executions, setSent, (execution_ids) =>
      bodyOf(
        client.POST('/ai-workflows/api/executions/cancel', {
          body: { execution_ids, reason: 'Cancelled in the console.' },
        }),
      ),
    )
  return (
    <ConfirmDialog
      title={`Cancel ${what}?`}
      confirmLabel={executions.length === 1 ? 'Cancel it' : 'Cancel them'}
      failureSentence="Some executions were not cancelled."
      send={cancelAll}
      onDone={async ({ succeeded, problems }) => {
        await onDone()
        await notify({
          title: succeeded === 1 ? '1 execution is cancelled' : `${succeeded} executions are cancelled`,
          ...(problems.length === 0 ? {} : { message: problems.join(' ') }),
        })
      }}
      onClose={onClose}
    >
      Running calls to models and other services are stopped. Results so far are kept, and their cost is
      charged.
      {sent === 0 ? null : <p role="status">{`${sent} of ${executions.length} sent`}</p>}
    </ConfirmDialog>
  )
}

interface RecoverSomeProps {
  readonly executions: readonly ExecutionEntry[]
  readonly onDone: () => Promise<void>
  readonly onClose: () => void
}

const choices = Object.entries(recoveryActions).map(([value, { title }]) => ({ value, label: title }))

const versions = [
  { value: 'same', label: 'The same version' },
  { value: 'latest', label: 'The latest version' },
]

/** Recovers failed executions, all by the same method. */
export function RecoverSome({ executions, onDone, onClose }: RecoverSomeProps) {
  const [action, setAction] = useState<RecoveryAction>('restart_from_checkpoint')
  const [version, setVersion] = useState<'same' | 'latest'>('same')
  const [sent, setSent] = useState(0)
  const submission = useSubmission({
    fields: ['action', 'flow_version'],
    send: ({ client }) =>
      inHundreds(executions, setSent, (execution_ids) =>
        bodyOf(
          client.POST('/ai-workflows/api/executions/recover', {
            body: { execution_ids, action, flow_version: version },
          }),
        ),
      ),
    async onDone({ succeeded, problems }) {
      await onDone()
      await notify({
        title: succeeded === 1 ? '1 execution is queued again' : `${succeeded} executions are queued again`,
        ...(problems.length === 0 ? {} : { message: problems.join(' ') }),
      })
      onClose()
    },
  })
  return (
    <Modal
      opened
      onClose={onClose}
      centered
      size={440}
      title={executions.length === 1 ? 'Recover 1 execution' : `Recover ${executions.length} executions`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Form
        submission={submission}
        submitLabel="Recover"
        failureSentence="Some executions were not recovered."
        onCancel={onClose}
      >
        <NativeSelect
          label="Recovery method"
          description={recoveryActions[action].about}
          data={choices}
          value={action}
          onChange={({ currentTarget }) => setAction(currentTarget.value as RecoveryAction)}
        />
        <NativeSelect
          label="Version"
          description="A version that changes finished steps is refused for the executions it does not fit."
          data={versions}
          value={version}
          onChange={({ currentTarget }) => setVersion(currentTarget.value === 'latest' ? 'latest' : 'same')}
        />
        {sent === 0 ? null : <p role="status">{`${sent} of ${executions.length} sent`}</p>}
      </Form>
    </Modal>
  )
}

interface Outcome {
  readonly succeeded: number
  /** The distinct error messages, with their numbers. */
  readonly problems: readonly string[]
}

interface Answer {
  readonly succeeded: number
  readonly results: readonly { readonly error: { readonly message: string } | null }[]
}

/** The platform takes a hundred executions in one request. */
const perRequest = 100

/** Sends executions in requests one after another. Failures of single executions do not end it. */
async function inHundreds(
  executions: readonly Pick<ExecutionEntry, 'execution_id'>[],
  onSent: (count: number) => void,
  send: (ids: string[]) => Promise<Answer>,
): Promise<Outcome> {
  const problems = new Map<string, number>()
  let succeeded = 0
  for (let index = 0; index < executions.length; index += perRequest) {
    const some = executions.slice(index, index + perRequest)
    const answer = await send(some.map(({ execution_id: id }) => id))
    succeeded += answer.succeeded
    for (const { error } of answer.results) {
      if (error !== null) problems.set(error.message, (problems.get(error.message) ?? 0) + 1)
    }
    if (executions.length > perRequest) onSent(index + some.length)
  }
  return {
    succeeded,
    problems: [...problems].map(([message, count]) => (count === 1 ? message : `${count}: ${message}`)),
  }
}
