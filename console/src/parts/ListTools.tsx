import type { ReactNode } from 'react'
import styles from './ListTools.module.css'

/** The strip above a list: its filters, and the number of rows. */
export function ListTools({ children, count }: { children: ReactNode; count?: string | undefined }) {
  return (
    <div className={styles['tools']}>
      <div className={styles['filters']}>{children}</div>
      <span className={styles['count']}>{count}</span>
    </div>
  )
}
