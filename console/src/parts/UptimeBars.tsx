import { useElementSize } from '@mantine/hooks'
import { dayAt } from './day-bars.ts'
import styles from './UptimeBars.module.css'
import { describeBar, describeBars, piecesOf, type UptimeBar } from './uptime-bars.ts'
import { useChartReading } from './use-chart-reading.ts'

interface UptimeBarsProps {
  /** Whose they are, and over how long. */
  readonly label: string
  /** Oldest first. */
  readonly bars: readonly UptimeBar[]
}

const smallHeight = 20
const height = 40
const smallStep = 3

/** A bar for each stretch of time, small enough for a row; hovering one tells it. */
export function UptimeBars({ label, bars }: UptimeBarsProps) {
  const width = bars.length * smallStep
  return (
    <svg
      className={styles['small']}
      role="img"
      aria-label={`${label}: ${describeBars(bars)}`}
      viewBox={`0 0 ${width} ${smallHeight}`}
      preserveAspectRatio="none"
    >
      {bars.map((bar, index) => (
        <g key={bar.name} transform={`translate(${index * smallStep} 0)`}>
          <title>{`${bar.name}: ${describeBar(bar)}`}</title>
          <BarShape bar={bar} width={smallStep - 1} height={smallHeight} />
        </g>
      ))}
    </svg>
  )
}

/** The same with room to read: the words below tell the bar under the pointer, or the one that arrows went to. */
export function ReadableUptimeBars({ label, bars, whole }: UptimeBarsProps & { whole: string }) {
  const { ref, width } = useElementSize()
  const { shown, reader } = useChartReading({
    count: bars.length,
    placeAt: (x) => dayAt(x, bars.length, width),
  })
  const bar = shown === undefined ? undefined : bars[shown]
  const name = bar?.name ?? whole
  const words = bar === undefined ? describeBars(bars) : describeBar(bar)
  const step = width / Math.max(1, bars.length)
  return (
    <figure className={styles['figure']} aria-label={label}>
      <div
        ref={ref}
        className={styles['plot']}
        {...reader}
        aria-label={`${label}, bar by bar`}
        aria-valuetext={`${name}: ${words}`}
      >
        <svg width={width} height={height} aria-hidden>
          {bars.map((each, index) => (
            <g
              key={each.name}
              className={styles['bar']}
              data-read={index === shown}
              transform={`translate(${index * step} 0)`}
            >
              <BarShape bar={each} width={step * 0.75} height={height} />
            </g>
          ))}
        </svg>
      </div>
      <figcaption className={styles['words']}>
        <strong>{name}</strong> {words}
      </figcaption>
    </figure>
  )
}

function BarShape({ bar, width, height: full }: { bar: UptimeBar; width: number; height: number }) {
  const pieces = piecesOf(bar, full)
  return (
    <>
      {/* What is hovered is the whole stretch, however little of it is drawn. */}
      <rect className={styles['ground']} width={width} height={full} />
      {pieces.length === 0 ? (
        <rect className={styles['none']} y={full - 2} width={width} height={2} />
      ) : (
        pieces.map(({ outcome, y, height: pieceHeight }) => (
          <rect
            key={outcome}
            className={styles['piece']}
            data-outcome={outcome}
            y={y}
            width={width}
            height={pieceHeight}
          />
        ))
      )}
    </>
  )
}
