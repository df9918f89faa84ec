import type { ReactNode } from 'react'
import styles from './HistoryChart.module.css'
import { describeLine } from './node-words.ts'
import { drawSparkline, slots } from './sparkline-path.ts'

const size = { width: 480, height: 48 }

interface LineProps {
  readonly title: string
  readonly values: ReadonlyArray<number | null>
  readonly quiet?: boolean
}

/** Milliseconds over the last ten minutes. */
export function HistoryLine({ title, values, quiet = false }: LineProps) {
  return (
    <Chart title={title} words={describeLine(values)}>
      <path className={styles['line']} data-quiet={quiet} d={drawSparkline(values, size)} />
    </Chart>
  )
}

interface BarsProps {
  readonly title: string
  readonly values: readonly number[]
  readonly total: string
}

/** Counts over the last ten minutes. */
export function HistoryBars({ title, values, total }: BarsProps) {
  const top = Math.max(...values, 1)
  const step = size.width / slots
  return (
    <Chart title={title} words={total}>
      {values.map((value, index) => {
        const height = (value / top) * size.height
        const slot = slots - values.length + index
        return (
          <rect
            key={slot}
            className={styles['bar']}
            x={slot * step + 1}
            y={size.height - height}
            width={step - 2}
            height={height}
          />
        )
      })}
    </Chart>
  )
}

function Chart({ title, words, children }: { title: string; words: string; children: ReactNode }) {
  return (
    <figure className={styles['chart']}>
      <figcaption>
        <span>{title}</span>
        <span className={styles['words']}>{words}</span>
      </figcaption>
      <svg viewBox={`0 0 ${size.width} ${size.height}`} preserveAspectRatio="none" aria-hidden>
        {children}
      </svg>
    </figure>
  )
}
