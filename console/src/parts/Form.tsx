import '../theme/mantine-form.css'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyAsCurl } from './CopyAsCurl.tsx'
import { FailureNotice } from './FailureNotice.tsx'
import styles from './Form.module.css'
import type { Submission } from './use-submission.ts'

interface FormProps {
  readonly submission: Submission
  readonly submitLabel: string
  /** The sentence shown when sending fails, such as `The schedule was not created.` */
  readonly failureSentence: string
  readonly onCancel?: () => void
  readonly children: ReactNode
}

/** A form with its fields, the failure that belongs to no field, and the buttons to submit and cancel. */
export function Form({ submission, submitLabel, failureSentence, onCancel, children }: FormProps) {
  const { form, failure, isPending, submit, send, onSubmit } = submission
  return (
    <form ref={form} className={styles['form']} noValidate onSubmit={onSubmit} aria-busy={isPending}>
      {children}
      {failure === null ? null : <FailureNotice what={failureSentence} error={failure} onRetry={submit} />}
      <div className={styles['foot']}>
        <Button type="submit" size="sm" aria-disabled={isPending}>
          {submitLabel}
        </Button>
        {onCancel === undefined ? null : (
          <Button size="sm" variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <CopyAsCurl act={send} />
      </div>
    </form>
  )
}
