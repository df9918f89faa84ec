import { useElementSize } from '@mantine/hooks'
import { type PointerEvent, useState } from 'react'
import { dayAt } from './day-bars.ts'
import styles from './UptimeBars.module.css'
import { type BarsPath, describeBar, describeBars, drawBars, type UptimeBar } from './uptime-bars.ts'
import { useChartReading } from './use-chart-reading.ts'

interface UptimeBarsProps {
  /** The accessible name: the service and the timeframe. */
  readonly label: string
  /** The bars, oldest first. */
  readonly bars: readonly UptimeBar[]
}

const smallHeight = 20
const height = 40
const smallStep = 3
/** The share of its column that a readable bar fills. */
const barShare = 0.75

/** A bar for each period, small enough for a table row; hovering shows its text. */
export function UptimeBars({ label, bars }: UptimeBarsProps) {
  const [hovered, setHovered] = useState<number>()
  const bar = hovered === undefined ? undefined : bars[hovered]
  const hover = ({ clientX, currentTarget }: PointerEvent<SVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    setHovered(dayAt(clientX - left, bars.length, width))
  }
  return (
    <svg
      className={styles['small']}
      role="img"
      aria-label={`${label}: ${describeBars(bars)}`}
      viewBox={`0 0 ${bars.length * smallStep} ${smallHeight}`}
      preserveAspectRatio="none"
      onPointerMove={hover}
      onPointerLeave={() => setHovered(undefined)}
    >
      {bar === undefined ? null : <title>{`${bar.name}: ${describeBar(bar)}`}</title>}
      <Paths paths={drawBars(bars, { step: smallStep, barWidth: smallStep - 1, height: smallHeight })} />
    </svg>
  )
}

/** Larger bars with a text below: it describes the bar under the pointer, or the one selected with arrow keys. */
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
  const barWidth = step * barShare
  const shownBar = shown === undefined ? undefined : { x: shown * step, width: barWidth, height }
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
          {shownBar === undefined ? null : <rect className={styles['ground']} {...shownBar} />}
          <Paths paths={drawBars(bars, { step, barWidth, height })} />
          {shownBar === undefined ? null : <rect className={styles['veil']} {...shownBar} />}
        </svg>
      </div>
      <figcaption className={styles['words']}>
        <strong>{name}</strong> {words}
      </figcaption>
    </figure>
  )
}

function Paths({ paths }: { paths: readonly BarsPath[] }) {
  return paths.map(({ outcome, d }) => (
    <path key={outcome} className={styles['pieces']} data-outcome={outcome} d={d} />
  ))
}
