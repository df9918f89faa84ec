import '../../theme/mantine-form.css'
import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { describeDollars } from '../../parts/describe-amount.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { notify } from '../../shell/notify.ts'
import { describeDuration } from '../../time/describe-time.ts'
import { resultQuery, type Trace } from '../executions/execution-queries.ts'
import { type RecoveryAction, recoveryActions } from '../executions/execution-words.ts'
import styles from './CauseBox.module.css'
import { EditStep } from './EditStep.tsx'
import { readResponse } from './failed-response.ts'
import { isDraft } from './flow-of-run.ts'

interface CauseBoxProps {
  readonly trace: Trace
  readonly onSelect: (step: string) => void
  readonly onRunAgain: () => void
}

/** Longer responses are shown in the details of the step. */
const maxExcerpt = 300

/** Why an execution failed, and what to do: edit the step, run it again, or resume it. */
export function CauseBox({ trace, onSelect, onRunAgain }: CauseBoxProps) {
  const { data } = useQuery(resultQuery(useApi(), trace.execution_id))
  const error = data?.error
  if (error === null || error === undefined) return null
  const options = 'recovery_options' in error ? (error.recovery_options ?? []) : []
  const details = 'details' in error ? (error.details ?? {}) : {}
  const named = details['failed_step']
  const failed =
    typeof named === 'string' ? named : trace.steps.find(({ state }) => state === 'failed')?.step_id
  const step = trace.steps.find(({ step_id }) => step_id === failed)
  const excerpt = readResponse(step?.error?.details).response.body?.trim() ?? ''
  return (
    <section className={styles['cause']} aria-label="Failure">
      <h2>{failed === undefined ? 'Failed' : `Failed at “${step?.label ?? failed}”`}</h2>
      <p>
        <strong>{error.code}</strong> {error.message}
      </p>
      {excerpt === '' ? null : (
        <p className={styles['excerpt']}>
          {excerpt.length > maxExcerpt ? `${excerpt.slice(0, maxExcerpt)}…` : excerpt}
        </p>
      )}
      <div className={styles['actions']}>
        {failed === undefined ? null : <EditStep trace={trace} step={failed} isMain />}
        {isDraft(trace) ? null : (
          <Button size="compact-sm" variant="default" onClick={onRunAgain}>
            Run again…
          </Button>
        )}
        {failed === undefined ? null : (
          <Button size="compact-sm" variant="default" onClick={() => onSelect(failed)}>
            Show the step
          </Button>
        )}
      </div>
      {options.length === 0 ? null : (
        <Resume
          trace={trace}
          options={options}
          budget={error.code === 'INSUFFICIENT_CREDITS' ? numberOf(details['budget']) : undefined}
        />
      )}
    </section>
  )
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

interface Option {
  readonly action: RecoveryAction
  readonly description: string
  readonly impact: string
  readonly estimated_cost: number | null
  readonly estimated_time: number | null
}

interface ResumeProps {
  readonly trace: Trace
  readonly options: readonly Option[]
  /** The budget that is used up, in dollars; undefined when that is not the cause. */
  readonly budget: number | undefined
}

/** The ways to resume a failed execution under the same ID. */
function Resume({ trace, options, budget }: ResumeProps) {
  const { client } = useApi()
  const cache = useQueryClient()
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: (body: { action: RecoveryAction; max_total_cost?: number }) =>
      bodyOf(
        client.POST('/ai-workflows/api/executions/{execution_id}/recover', {
          params: { path: { execution_id: trace.execution_id } },
          body,
        }),
      ),
    async onSuccess() {
      await cache.invalidateQueries({ queryKey: ['executions'] })
      await notify({ title: 'The execution is queued again', message: 'Completed steps are not run again.' })
    },
  })
  return (
    <div className={styles['resume']}>
      <h3>Resume this execution</h3>
      <ul>
        {options.map((option) => (
          <li key={option.action}>
            {budget !== undefined && option.action === 'restart_from_checkpoint' ? (
              <RaiseBudget
                budget={budget}
                isPending={isPending}
                onRaise={(dollars) => mutate({ action: option.action, max_total_cost: dollars })}
              />
            ) : (
              <Button
                size="compact-sm"
                variant="default"
                aria-disabled={isPending}
                onClick={() => isPending || mutate({ action: option.action })}
              >
                {recoveryActions[option.action].title}
              </Button>
            )}
            <span>{describeOption(option)}</span>
          </li>
        ))}
      </ul>
      {error === null ? null : (
        <FailureNotice
          what="The execution was not resumed."
          error={error}
          onRetry={reset}
          retryLabel="Retry"
        />
      )}
    </div>
  )
}

interface RaiseBudgetProps {
  /** Dollars. */
  readonly budget: number
  readonly isPending: boolean
  readonly onRaise: (dollars: number) => void
}

/** The new budget of an execution that used up its own. */
function RaiseBudget({ budget, isPending, onRaise }: RaiseBudgetProps) {
  const [text, setText] = useState(String(budget * 2))
  const dollars = Number(text)
  const isHigher = Number.isFinite(dollars) && dollars > budget
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isHigher && !isPending) onRaise(dollars)
  }
  return (
    <form className={styles['budget']} noValidate onSubmit={submit}>
      <TextInput
        size="xs"
        label="New budget in dollars"
        inputMode="decimal"
        value={text}
        error={isHigher ? undefined : `It must be above ${describeDollars(Math.round(budget * 1e6))}.`}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button type="submit" size="compact-sm" variant="default" aria-disabled={isPending || !isHigher}>
        Raise budget and resume
      </Button>
    </form>
  )
}

function describeOption({ impact, estimated_cost: cost, estimated_time: time }: Option): string {
  const estimates = [
    ...(time === null ? [] : [`about ${describeDuration(time)}`]),
    ...(cost === null ? [] : [`about ${describeDollars(Math.round(cost * 1e6))}`]),
  ]
  return estimates.length === 0 ? impact : `${impact} (${estimates.join(', ')})`
}
