import type { ReactNode } from 'react'
import styles from './EmptyState.module.css'

/** Nothing to show, honestly: one sentence, one thing to do, one place to read on. */
export function EmptyState({
  sentence,
  action,
  link,
}: {
  sentence: string
  action: ReactNode
  link: ReactNode
}) {
  return (
    <div className={styles['empty']}>
      <p>{sentence}</p>
      <div className={styles['ways']}>
        {action}
        {link}
      </div>
    </div>
  )
}
