import type { ReactNode } from 'react'
import { Skeleton } from './Skeleton.tsx'
import styles from './SummaryStrip.module.css'

export interface SummaryCell {
  readonly name: string
  /** Undefined while the value is loading. */
  readonly value?: ReactNode
  /** A short text below the value; null for none. */
  readonly note?: ReactNode
  /** Shown on hover. */
  readonly title?: string
}

/** The key numbers of a page, in one line of three to six cells. */
export function SummaryStrip({ cells, isLoading }: { cells: readonly SummaryCell[]; isLoading: boolean }) {
  return (
    <dl className={styles['strip']} data-cells={cells.length} aria-busy={isLoading}>
      {cells.map(({ name, value, note, title }) => (
        <div key={name} title={title}>
          <dt>{name}</dt>
          <dd className={styles['value']}>{value ?? <Skeleton width={72} />}</dd>
          {note === null ? null : <dd className={styles['note']}>{note ?? <Skeleton width={96} />}</dd>}
        </div>
      ))}
    </dl>
  )
}
