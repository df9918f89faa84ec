import styles from './TimeChart.module.css'
import { type Hatch, styleAt, type TimeSeries } from './time-series.ts'

interface LegendSwatchProps {
  readonly series: Pick<TimeSeries, 'as' | 'tone'>
  readonly index: number
  /** Whether it is the period before. */
  readonly isCompared: boolean
}

/** The sample of a series in the legend: a line with its dashes, or a bar with its pattern. */
export function LegendSwatch({ series, index, isCompared }: LegendSwatchProps) {
  const { tone, hatch, dash } = styleAt(series, index)
  return (
    <svg
      className={styles['swatch']}
      data-tone={isCompared ? 'text-faint' : tone}
      width={18}
      height={12}
      aria-hidden
    >
      {series.as === 'bars' ? (
        <>
          <rect x={2} width={12} height={12} rx={2} />
          {hatch === 'none' ? null : <path className={styles['hatch']} d={hatches[hatch]} />}
        </>
      ) : (
        <path d="M1 6H17" strokeDasharray={isCompared ? '2 3' : dash.join(' ')} />
      )}
    </svg>
  )
}

const hatches: Readonly<Record<Exclude<Hatch, 'none'>, string>> = {
  rising: 'M2 6L8 0M2 12L14 0M8 12L14 6',
  falling: 'M8 0L14 6M2 0L14 12M2 6L8 12',
  level: 'M2 3H14M2 9H14',
}
