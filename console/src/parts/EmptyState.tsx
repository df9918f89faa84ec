import type { ReactNode } from 'react'
import styles from './EmptyState.module.css'

/** An empty state: one sentence, one action, and one link to the documentation. */
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
