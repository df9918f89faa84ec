import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './DangerButton.module.css'

interface DangerButtonProps {
  /** `ask` leads to the question whether to do it; `do` does it. */
  readonly kind: 'ask' | 'do'
  readonly busy?: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}

/** A button that takes something away. */
export function DangerButton({ kind, busy = false, onClick, children }: DangerButtonProps) {
  return (
    <Button size="sm" variant="default" className={styles[kind] ?? ''} aria-disabled={busy} onClick={onClick}>
      {children}
    </Button>
  )
}
