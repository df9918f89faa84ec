import styles from './Meter.module.css'

interface MeterProps {
  /** What is measured. */
  readonly label: string
  /** The same as the bar, in words. */
  readonly words: string
  readonly most: number
  readonly spent: number
  /** Set aside, and neither spent nor free. */
  readonly reserved?: number
}

/** How much of something is used up. */
export function Meter({ label, words, most, spent, reserved = 0 }: MeterProps) {
  return (
    <div
      className={styles['meter']}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={most}
      aria-valuenow={Math.min(spent, most)}
      aria-valuetext={words}
    >
      <span className={styles['spent']} style={{ width: `${shareOf(spent, most)}%` }} />
      <span className={styles['reserved']} style={{ width: `${shareOf(reserved, most)}%` }} />
    </div>
  )
}

function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(100, (part / whole) * 100)
}
