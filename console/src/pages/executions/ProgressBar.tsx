import type { CSSProperties } from 'react'
import styles from './ProgressBar.module.css'

/** A progress bar with its percentage. */
export function ProgressBar({ percentage }: { percentage: number }) {
  const whole = Math.round(percentage)
  return (
    <span className={styles['progress']}>
      <span className={styles['track']} aria-hidden>
        <span style={{ '--share': `${whole}%` } as CSSProperties} />
      </span>
      {whole} %
    </span>
  )
}
