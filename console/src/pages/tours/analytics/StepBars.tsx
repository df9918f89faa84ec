import type { StepBar } from './analytics-words.ts'
import styles from './StepBars.module.css'

/** A bar for each step, with its words: whoever does not see the bars misses nothing. */
export function StepBars({ label, bars }: { label: string; bars: readonly StepBar[] }) {
  return (
    <ol className={styles['bars']} aria-label={label}>
      {bars.map(({ key, name, percent, value, note }) => (
        <li key={key}>
          <span className={styles['name']}>{name}</span>
          <span className={styles['numbers']}>
            <strong>{value}</strong>
            {note === undefined ? null : <span className={styles['note']}>{note}</span>}
          </span>
          <svg className={styles['bar']} aria-hidden>
            <rect className={styles['whole']} width="100%" height="8" rx="2" />
            <rect className={styles['part']} width={`${percent}%`} height="8" rx="2" />
          </svg>
        </li>
      ))}
    </ol>
  )
}
