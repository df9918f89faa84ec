import { Button } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import styles from './today.module.css'

interface UnfoldedProps {
  readonly label: string
  /** What it belongs to, for screen readers. */
  readonly about: string
  readonly isOpen: boolean
  readonly children: ReactNode
}

/** A part of an entry that is loaded and shown on demand. */
export function Unfolded({ label, about, isOpen: isOpenFirst, children }: UnfoldedProps) {
  const [chosen, setChosen] = useState<boolean>()
  const id = useId()
  const isOpen = chosen ?? isOpenFirst
  const words = `${isOpen ? 'Hide' : 'Show'} ${label.toLowerCase()}`
  return (
    <div className={styles['unfolded']}>
      <Button
        size="compact-xs"
        variant="default"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={`${words} of ${about}`}
        onClick={() => setChosen(!isOpen)}
      >
        {words}
      </Button>
      <div id={id}>{isOpen ? children : null}</div>
    </div>
  )
}
