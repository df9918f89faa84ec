import '../theme/mantine-modal.css'
import { Button, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import type { Api } from '../api/api.ts'
import { useApi } from '../api/api-context.ts'
import styles from './ConfirmDialog.module.css'
import { CopyAsCurl } from './CopyAsCurl.tsx'
import { DangerButton } from './DangerButton.tsx'
import { FailureNotice } from './FailureNotice.tsx'
import { useReturnFocus } from './use-return-focus.ts'

interface Question {
  /** The question, with the name of the affected item: `Revoke “Nightly report”?` */
  readonly title: string
  /** The consequences of the action. */
  readonly children: ReactNode
  readonly confirmLabel: string
  /** The sentence shown when the action fails, such as `The schedule was not deleted.` */
  readonly failureSentence: string
  readonly onClose: () => void
}

/** An action that sends a request. CopyAsCurl calls `send` with an API that only records it. */
interface Request<Answer> {
  readonly send: (api: Api) => Promise<Answer>
  /** Runs after the platform has accepted the request, before the dialog closes. */
  readonly onDone?: (answer: Answer) => Promise<void> | void
}

/** An action without a request, in this browser only. */
interface Deed {
  readonly onConfirm: () => Promise<void>
}

/** A question about an action that sends a request. */
export type ConfirmedRequest<Answer> = Omit<Question, 'onClose'> & Request<Answer>

type ConfirmDialogProps<Answer> = Question & (Request<Answer> | Deed)

/** Asks for confirmation of a destructive action. The cancel button has the focus. */
export function ConfirmDialog<Answer>(props: ConfirmDialogProps<Answer>) {
  const { title, children, confirmLabel, failureSentence, onClose } = props
  useReturnFocus()
  const textId = useId()
  const api = useApi()
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      if ('onConfirm' in props) await props.onConfirm()
      else await props.onDone?.(await props.send(api))
    },
    onSuccess: onClose,
  })
  const confirm = () => {
    if (!isPending) mutate()
  }
  return (
    <Modal.Root opened onClose={onClose} size={440} centered classNames={styles}>
      <Modal.Overlay />
      <Modal.Content aria-describedby={textId}>
        <Modal.Body>
          <Modal.Title>{title}</Modal.Title>
          <div id={textId} className={styles['text']}>
            {children}
          </div>
          {error === null ? null : <FailureNotice what={failureSentence} error={error} onRetry={confirm} />}
          <div className={styles['foot']}>
            {'send' in props ? <CopyAsCurl act={props.send} /> : null}
            <Button size="sm" variant="default" data-autofocus onClick={onClose}>
              Cancel
            </Button>
            <DangerButton kind="do" busy={isPending} onClick={confirm}>
              {confirmLabel}
            </DangerButton>
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
