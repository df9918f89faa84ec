import styles from './Sparkline.module.css'
import { drawSparkline } from './sparkline-path.ts'

interface SparklineProps {
  readonly values: ReadonlyArray<number | null>
  /** The line in words. */
  readonly label: string
  readonly quiet?: boolean
}

const size = { width: 96, height: 24 }

/** A small line over the last ten minutes. */
export function Sparkline({ values, label, quiet = false }: SparklineProps) {
  return (
    <svg
      className={styles['sparkline']}
      role="img"
      aria-label={label}
      data-quiet={quiet}
      width={size.width}
      height={size.height}
      viewBox={`0 0 ${size.width} ${size.height}`}
    >
      <path d={drawSparkline(values, size)} />
    </svg>
  )
}
