import '../../../theme/mantine-modal.css'
import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from '../../../parts/ConfirmDialog.module.css'
import { useReturnFocus } from '../../../parts/use-return-focus.ts'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  /** The dialog has typed input, which a click outside must not discard. */
  readonly holdsInput?: boolean
  readonly children: ReactNode
}

/** A small dialog in front of the flow. */
export function Dialog({ title, onClose, holdsInput = false, children }: DialogProps) {
  useReturnFocus()
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={480}
      centered
      classNames={styles}
      closeOnClickOutside={!holdsInput}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body>
          <Modal.Title>{title}</Modal.Title>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

export function DialogText({ children }: { children: ReactNode }) {
  return <div className={styles['text']}>{children}</div>
}

export function DialogFoot({ children }: { children: ReactNode }) {
  return <div className={styles['foot']}>{children}</div>
}
