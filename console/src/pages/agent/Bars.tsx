import type { CSSProperties } from 'react'
import styles from './Bars.module.css'

interface Bar {
  readonly name: string
  readonly value: number
  /** The displayed text; the formatted value by default. */
  readonly told?: string
}

interface BarsProps {
  readonly title: string
  readonly bars: readonly Bar[]
  /** The value of a full bar; the largest value by default. */
  readonly whole?: number
}

/** A horizontal bar chart of named values. */
export function Bars({ title, bars, whole }: BarsProps) {
  const longest = whole ?? Math.max(0, ...bars.map(({ value }) => value))
  return (
    <dl className={styles['bars']} aria-label={title}>
      {bars.map(({ name, value, told }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span
              className={styles['bar']}
              style={{ '--share': `${longest === 0 ? 0 : (value / longest) * 100}%` } as CSSProperties}
              aria-hidden
            />
            <span className={styles['told']}>{told ?? value.toLocaleString()}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
