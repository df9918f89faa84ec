import '../theme/mantine-modal.css'
import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './SideDrawer.module.css'
import { useReturnFocus } from './use-return-focus.ts'

interface SideDrawerProps {
  readonly title: string
  readonly onClose: () => void
  /** The element that gets the focus after closing, if it is not the one that had it before. */
  readonly returnTo?: () => HTMLElement | null
  /** A dialog is open above the drawer: Escape and the focus belong to the dialog. */
  readonly covered?: boolean
  /** The drawer has typed input, which a click outside must not discard. */
  readonly holdsInput?: boolean
  readonly children: ReactNode
}

/** A panel at the right of a page that shows one item in full. */
export function SideDrawer({ title, onClose, returnTo, covered, holdsInput, children }: SideDrawerProps) {
  useReturnFocus(returnTo)
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position="right"
      size={520}
      classNames={styles}
      closeOnEscape={covered !== true}
      trapFocus={covered !== true}
      closeOnClickOutside={holdsInput !== true}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <div className={styles['header']}>
          <Drawer.Title>{title}</Drawer.Title>
          <Drawer.CloseButton aria-label="Close" size={28} />
        </div>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
