import styles from './SeriesPatterns.module.css'

/** Series differ by pattern as well as by colour: the console has only one accent colour and greys. */
const patterns = [
  { ground: 'accent', lines: null },
  { ground: 'accent-light', lines: 'rising' },
  { ground: 'grey', lines: null },
  { ground: 'accent-light', lines: 'level' },
  { ground: 'grey-light', lines: 'falling' },
  { ground: 'grey-light', lines: null },
] as const

/** The number of series that can be distinguished. */
const maxSeries = patterns.length

const paths = {
  rising: 'M-2 2L2 -2M0 8L8 0M6 10L10 6',
  falling: 'M-2 6L2 10M0 0L8 8M6 -2L10 2',
  level: 'M0 2H8M0 6H8',
}

/** The pattern definitions of a chart; `id` separates them from those of other charts. */
export function SeriesPatterns({ id }: { id: string }) {
  return (
    <defs>
      {patterns.map(({ ground, lines }, index) => (
        <pattern
          key={patternName(id, index)}
          id={patternName(id, index)}
          width={8}
          height={8}
          patternUnits="userSpaceOnUse"
        >
          <rect className={styles['ground']} data-ground={ground} width={8} height={8} />
          {lines === null ? null : <path className={styles['lines']} data-ground={ground} d={paths[lines]} />}
        </pattern>
      ))}
    </defs>
  )
}

/** The fill of a series. */
export function fillOf(id: string, series: number): string {
  return `url(#${patternName(id, series % maxSeries)})`
}

/** The legend sample of a series. */
export function Swatch({ patterns: id, series }: { patterns: string; series: number }) {
  return (
    <svg className={styles['swatch']} width={14} height={14} aria-hidden>
      <rect x={0.5} y={0.5} width={13} height={13} rx={2} fill={fillOf(id, series)} />
    </svg>
  )
}

function patternName(id: string, index: number): string {
  return `${id}-${index}`
}
