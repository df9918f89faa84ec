import '../../../theme/mantine-form.css'
import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { bodyOf } from '../../../api/api.ts'
import { useApi } from '../../../api/api-context.ts'
import type { paths } from '../../../api/schema.generated.ts'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { notify } from '../../../shell/notify.ts'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import styles from './today.module.css'

type Waiting =
  paths['/ai-workflows/api/approvals']['get']['responses'][200]['content']['application/json']['approvals'][number]

interface ApprovalProps {
  readonly approval: Waiting
  /** The account that decides. */
  readonly account: string
  readonly onDecided: () => void
}

const verbs = { approve: 'approved', reject: 'rejected' } as const

/** A pending approval: requester, time, and Approve or Reject with a note for the requester. */
export function Approval({ approval, account, onDecided }: ApprovalProps) {
  const api = useApi()
  const cache = useQueryClient()
  const [note, setNote] = useState('')
  const { execution_id, flow_label: label, requested_at: at } = approval
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: async (verb: keyof typeof verbs) => {
      await bodyOf(
        api.client.POST(`/ai-workflows/api/executions/{execution_id}/${verb}`, {
          params: { path: { execution_id } },
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
    <li>
      <span className={styles['what']}>
        <Link to="/executions/$execution" params={{ execution: execution_id }}>
          {label}
        </Link>
        <span className={styles['about']}>
          {describeWho(approval, account)}, <RelativeTime at={new Date(at * 1000).toISOString()} />
        </span>
      </span>
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
      </div>
      {error === null ? null : (
        <FailureNotice what="The decision was not saved." error={error} onRetry={reset} retryLabel="Retry" />
      )}
    </li>
  )
}

function describeWho({ requested_by: who, schedule_id: schedule }: Waiting, account: string): string {
  const whose = who === account ? 'you' : `account ${who.slice(-12)}`
  return schedule === null ? `Requested by ${whose}` : `Started by a schedule of ${whose}`
}
