import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { describeDollars } from '../../parts/describe-amount.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { notify } from '../../shell/notify.ts'
import { describeDuration } from '../../time/describe-time.ts'
import { type RecoveryAction, recoveryActions } from '../executions/execution-words.ts'
import styles from './Recovery.module.css'

/** The error of a failed execution, and the recovery options with their costs. */
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
      await notify({ title: 'The execution is queued again', message: 'Completed steps are not run again.' })
    },
  })
  const error = data?.error
  if (error === null || error === undefined) return null
  const options = 'recovery_options' in error ? (error.recovery_options ?? []) : []
  const failedStep = 'details' in error ? error.details?.['failed_step'] : undefined
  return (
    <section className={styles['recovery']} aria-label="Failure">
      <h2>{typeof failedStep === 'string' ? `Failed at “${failedStep}”` : 'Failed'}</h2>
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
          what="The execution was not recovered."
          error={recover.error}
          onRetry={() => recover.reset()}
          retryLabel="Retry"
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
