import '../../theme/mantine-form.css'
import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { notify } from '../../shell/notify.ts'
import styles from './ApprovalForm.module.css'

interface ApprovalFormProps {
  readonly execution: string
  /** The name of the workflow. */
  readonly label: string
  readonly onDecided: () => void
}

const verbs = { approve: 'approved', reject: 'rejected' } as const

/** Approve or Reject, with a note for the account that requested the execution. */
export function ApprovalForm({ execution, label, onDecided }: ApprovalFormProps) {
  const api = useApi()
  const cache = useQueryClient()
  const [note, setNote] = useState('')
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: async (verb: keyof typeof verbs) => {
      await bodyOf(
        api.client.POST(`/ai-workflows/api/executions/{execution_id}/${verb}`, {
          params: { path: { execution_id: execution } },
          body: note.trim() === '' ? {} : { note: note.trim() },
        }),
      )
      return verb
    },
    async onSuccess(verb) {
      await cache.invalidateQueries({ queryKey: ['executions'] })
      onDecided()
      await notify({
        title: `“${label}” is ${verbs[verb]}`,
        message: verb === 'approve' ? 'The execution is queued.' : 'The execution is cancelled.',
      })
    },
  })
  const decide = (verb: keyof typeof verbs) => {
    if (!isPending) mutate(verb)
  }
  return (
    <>
      <div className={styles['decision']}>
        <TextInput
          className={styles['note'] ?? ''}
          size="xs"
          aria-label={`Note about ${label}`}
          placeholder="Note (optional)"
          maxLength={2000}
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        <span className={styles['buttons']}>
          <Button
            size="compact-sm"
            aria-label={`Approve ${label}`}
            aria-disabled={isPending}
            onClick={() => decide('approve')}
          >
            Approve
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Reject ${label}`}
            aria-disabled={isPending}
            onClick={() => decide('reject')}
          >
            Reject
          </Button>
        </span>
      </div>
      {error === null ? null : (
        <FailureNotice what="The decision was not saved." error={error} onRetry={reset} retryLabel="Retry" />
      )}
    </>
  )
}
