import { type Api, bodyOf } from '../../api/api.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { notify } from '../../shell/notify.ts'
import type { ExecutionEntry } from './execution-queries.ts'
import '../../theme/mantine-form.css'
import '../../theme/mantine-modal.css'
import { Modal, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { ApiFailure } from '../../api/api-failure.ts'
import { Form } from '../../parts/Form.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { type RecoveryAction, recoveryActions } from './execution-words.ts'

interface CancelSomeProps {
  readonly executions: readonly Pick<ExecutionEntry, 'execution_id' | 'flow_label'>[]
  readonly onDone: () => Promise<void>
  readonly onClose: () => void
}

/** Confirms the cancellation of executions. */
export default function CancelSome({ executions, onDone, onClose }: CancelSomeProps) {
  const [first] = executions
  const what = executions.length === 1 ? `“${first?.flow_label}”` : `${executions.length} executions`
  const cancelAll = (api: Api) =>
    forEach(executions, ({ execution_id }) =>
      bodyOf(
        api.client.POST('/ai-workflows/api/executions/{execution_id}/cancel', {
          params: { path: { execution_id } },
          body: { reason: 'Cancelled in the console.' },
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
    </ConfirmDialog>
  )
}

interface RecoverSomeProps {
  readonly executions: readonly ExecutionEntry[]
  readonly onDone: () => Promise<void>
  readonly onClose: () => void
}

const choices = Object.entries(recoveryActions).map(([value, { title }]) => ({ value, label: title }))

/** Recovers failed executions, all by the same method. */
export function RecoverSome({ executions, onDone, onClose }: RecoverSomeProps) {
  const [action, setAction] = useState<RecoveryAction>('restart_from_checkpoint')
  const submission = useSubmission({
    fields: ['action'],
    send: ({ client }) =>
      forEach(executions, ({ execution_id }) =>
        bodyOf(
          client.POST('/ai-workflows/api/executions/{execution_id}/recover', {
            params: { path: { execution_id } },
            body: { action },
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
      </Form>
    </Modal>
  )
}

interface Outcome {
  readonly succeeded: number
  /** The distinct error messages. */
  readonly problems: readonly string[]
}

/** Sends requests one by one, to stay below the rate limit, and continues after a failure. */
async function forEach<Thing>(
  things: readonly Thing[],
  ask: (thing: Thing) => Promise<unknown>,
): Promise<Outcome> {
  const problems = new Set<string>()
  let succeeded = 0
  for (const thing of things) {
    try {
      await ask(thing)
      succeeded += 1
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      problems.add(error.message)
    }
  }
  return { succeeded, problems: [...problems] }
}
