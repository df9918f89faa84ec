import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { describeDollars } from '../../parts/describe-amount.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { notify } from '../../shell/notify.ts'
import { describeDuration } from '../../time/describe-time.ts'
import { type RecoveryAction, recoveryActions } from '../executions/recovery-words.ts'
import styles from './Recovery.module.css'

/** Why an execution failed, and the ways to take it up again with what each would cost. */
export function Recovery({ execution }: { execution: string }) {
  const api = useApi()
  const cache = useQueryClient()
  const { data } = useQuery({
    queryKey: ['executions', 'failure', execution],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/ai-workflows/api/executions/{execution_id}', {
          signal,
          params: { path: { execution_id: execution } },
        }),
      ),
  })
  const recover = useMutation({
    mutationFn: (action: RecoveryAction) =>
      bodyOf(
        api.client.POST('/ai-workflows/api/executions/{execution_id}/recover', {
          params: { path: { execution_id: execution } },
          body: { action },
        }),
      ),
    async onSuccess() {
      await cache.invalidateQueries({ queryKey: ['executions'] })
      await notify({ title: 'It is queued again', message: 'Steps that are done stay done.' })
    },
  })
  const error = data?.error
  if (error === null || error === undefined) return null
  const options = 'recovery_options' in error ? (error.recovery_options ?? []) : []
  const failedStep = 'details' in error ? error.details?.['failed_step'] : undefined
  return (
    <section className={styles['recovery']} aria-label="Why it failed">
      <h2>{typeof failedStep === 'string' ? `It failed at “${failedStep}”` : 'It failed'}</h2>
      <p>
        <strong>{error.code}</strong> {error.message}
      </p>
      {options.length === 0 ? null : (
        <ul>
          {options.map((option) => (
            <li key={option.action}>
              <Button
                size="compact-sm"
                variant="default"
                aria-disabled={recover.isPending}
                onClick={() => recover.isPending || recover.mutate(option.action)}
              >
                {recoveryActions[option.action].title}
              </Button>
              <span>{describeOption(option)}</span>
            </li>
          ))}
        </ul>
      )}
      {recover.error === null ? null : (
        <FailureNotice
          what="It was not taken up again."
          error={recover.error}
          onRetry={() => recover.reset()}
          retryLabel="Choose again"
        />
      )}
    </section>
  )
}

interface Option {
  readonly action: RecoveryAction
  readonly description: string
  readonly impact: string
  readonly estimated_cost: number | null
  readonly estimated_time: number | null
}

function describeOption({ impact, estimated_cost: cost, estimated_time: time }: Option): string {
  const estimates = [
    ...(time === null ? [] : [`about ${describeDuration(time)}`]),
    ...(cost === null ? [] : [`about ${describeDollars(Math.round(cost * 1e6))}`]),
  ]
  return estimates.length === 0 ? impact : `${impact} (${estimates.join(', ')})`
}
