import '../../theme/mantine-form.css'
import '../../theme/mantine-modal.css'
import { Modal, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { Form } from '../../parts/Form.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import type { ExecutionEntry } from './execution-queries.ts'
import { type RecoveryAction, recoveryActions } from './execution-words.ts'
import { forEach } from './for-each.ts'

interface RecoverSomeProps {
  readonly executions: readonly ExecutionEntry[]
  readonly onDone: () => Promise<void>
  readonly onClose: () => void
}

const choices = Object.entries(recoveryActions).map(([value, { title }]) => ({ value, label: title }))

/** Takes failed executions up again, all in the same way. */
export default function RecoverSome({ executions, onDone, onClose }: RecoverSomeProps) {
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
