import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './DangerButton.module.css'

interface DangerButtonProps {
  /** `ask` opens a confirmation; `do` runs the action. */
  readonly kind: 'ask' | 'do'
  /** Small among the actions of a page. */
  readonly isSmall?: boolean
  readonly busy?: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}

/** The button of a destructive action. */
export function DangerButton({ kind, isSmall = false, busy = false, onClick, children }: DangerButtonProps) {
  return (
    <Button
      size={isSmall ? 'compact-sm' : 'sm'}
      variant="default"
      className={styles[kind] ?? ''}
      aria-disabled={busy}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}
