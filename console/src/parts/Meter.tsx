import styles from './Meter.module.css'

interface MeterProps {
  /** The name of the measured quantity. */
  readonly label: string
  /** The values as text, for screen readers. */
  readonly words: string
  readonly most: number
  readonly spent: number
  /** Reserved: neither spent nor free. */
  readonly reserved?: number
}

/** A bar that shows how much of a limit is used. */
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
