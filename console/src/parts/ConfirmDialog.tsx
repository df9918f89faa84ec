import '../theme/mantine-modal.css'
import { Button, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import styles from './ConfirmDialog.module.css'
import { DangerButton } from './DangerButton.tsx'
import { FailureNotice } from './FailureNotice.tsx'
import { useReturnFocus } from './use-return-focus.ts'

interface ConfirmDialogProps {
  /** A question that names the thing: `Revoke “Nightly report”?` */
  readonly title: string
  /** What stops working. */
  readonly children: ReactNode
  readonly confirmLabel: string
  /** What has not happened when it fails, as a sentence. */
  readonly failureSentence: string
  readonly onConfirm: () => Promise<void>
  readonly onClose: () => void
}

/** Asks before something is taken away. The safe answer has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirmLabel, failureSentence, onConfirm, onClose } = props
  useReturnFocus()
  const textId = useId()
  const { mutate, error, isPending } = useMutation({ mutationFn: onConfirm, onSuccess: onClose })
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
