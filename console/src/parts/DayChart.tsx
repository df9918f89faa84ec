import { useElementSize } from '@mantine/hooks'
import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react'
import styles from './DayChart.module.css'
import { DayChartTable } from './DayChartTable.tsx'
import { type DaySeries, dayAt, pickLabels, roundUp, stackBars, sumOfDay } from './day-bars.ts'
import { describeDay, describeShortDay } from './describe-day.ts'
import { fillOf, SeriesPatterns, Swatch } from './SeriesPatterns.tsx'

interface DayChartProps {
  /** What the bars are, as a title. */
  readonly title: string
  /** In order, such as `2026-11-15`. */
  readonly days: readonly string[]
  /** At most as many as there are patterns; the first stands at the bottom. */
  readonly series: readonly DaySeries[]
  readonly describe: (value: number) => string
  /** The same with little room. */
  readonly describeAxis: (value: number) => string
}

const height = 200
const axisWidth = 56
const labelRoom = 48

const moves: Readonly<Record<string, (day: number, last: number) => number>> = {
  ArrowLeft: (day) => Math.max(0, day - 1),
  ArrowRight: (day, last) => Math.min(last, day + 1),
  Home: () => 0,
  End: (_, last) => last,
}

/**
 * A bar for each day, made of what each series has of it. The names below tell the whole time, or the day under the pointer;
 * with the focus on the bars, arrows go from day to day. Screen readers find all of it in a table.
 */
export function DayChart({ title, days, series, describe, describeAxis }: DayChartProps) {
  const patterns = useId()
  const { ref, width: frameWidth } = useElementSize()
  const [day, setDay] = useState<number>()
  const width = Math.max(0, frameWidth - axisWidth)
  const totals = days.map((_, index) => sumOfDay(series, index))
  const top = roundUp(Math.max(0, ...totals))
  const shown = day === undefined || day >= days.length ? undefined : day
  const last = days.length - 1

  const onPointerMove = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left } = currentTarget.getBoundingClientRect()
    setDay(dayAt(clientX - left - axisWidth, days.length, width))
  }
  const onKeyDown = (press: KeyboardEvent<HTMLElement>) => {
    const move = moves[press.key]
    if (move === undefined || press.ctrlKey || press.metaKey || press.altKey) return
    press.preventDefault()
    setDay(move(shown ?? last, last))
  }
  const valueOf = ({ values }: DaySeries) =>
    shown === undefined ? values.reduce((sum, value) => sum + value, 0) : (values[shown] ?? 0)
  const sum = shown === undefined ? totals.reduce((all, value) => all + value, 0) : (totals[shown] ?? 0)
  const when = shown === undefined ? `${days.length} days` : describeDay(days[shown] ?? '')
  const words = [
    `${when}: ${describe(sum)}`,
    ...series.map((each) => `${each.name} ${describe(valueOf(each))}`),
  ].join(', ')

  return (
    <figure className={styles['chart']} aria-label={title}>
      <div
        ref={ref}
        className={styles['plot']}
        role="slider"
        tabIndex={0}
        aria-label={`${title}, day by day`}
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={(shown ?? last) + 1}
        aria-valuetext={words}
        onPointerMove={onPointerMove}
        onPointerDown={onPointerMove}
        onPointerLeave={() => setDay(undefined)}
        onKeyDown={onKeyDown}
        onFocus={() => setDay((now) => now ?? last)}
        onBlur={() => setDay(undefined)}
      >
        {width === 0 ? null : (
          <svg width={frameWidth} height={height + 32} aria-hidden>
            <SeriesPatterns id={patterns} />
            <g transform={`translate(${axisWidth} 8)`}>
              {[top, top / 2, 0].map((value) => (
                <g key={value} transform={`translate(0 ${height - (value / top) * height})`}>
                  <line className={styles['grid']} x2={width} />
                  <text className={styles['label']} x={-8} dy="0.32em" textAnchor="end">
                    {describeAxis(value)}
                  </text>
                </g>
              ))}
              {shown === undefined ? null : (
                <rect
                  className={styles['day']}
                  x={(shown * width) / days.length}
                  width={width / days.length}
                  height={height}
                />
              )}
              {stackBars(series, days.length, { width, height }, top).map((bar) => (
                <rect
                  key={`${bar.day} ${bar.series}`}
                  className={styles['bar']}
                  x={bar.x}
                  y={bar.y}
                  width={bar.width}
                  height={bar.height}
                  fill={fillOf(patterns, bar.series)}
                />
              ))}
              {pickLabels(days.length, width).map((index) => (
                <text
                  key={index}
                  className={styles['label']}
                  {...labelPlace(((index + 0.5) * width) / days.length, width)}
                  y={height + 19}
                >
                  {describeShortDay(days[index] ?? '')}
                </text>
              ))}
            </g>
          </svg>
        )}
      </div>
      <figcaption className={styles['legend']}>
        <span className={styles['when']}>
          <strong>{when}</strong> {describe(sum)}
        </span>
        <ul>
          {series.map((each, index) => (
            <li key={each.name}>
              <Swatch patterns={patterns} series={index} />
              <span className={styles['name']}>{each.name}</span>
              <span>{describe(valueOf(each))}</span>
            </li>
          ))}
        </ul>
      </figcaption>
      <DayChartTable title={title} days={days} series={series} describe={describe} />
    </figure>
  )
}

/** Below its bar, but never beyond the edge. */
function labelPlace(x: number, width: number): { x: number; textAnchor: 'middle' | 'end' } {
  return x + labelRoom / 2 > width ? { x: width, textAnchor: 'end' } : { x, textAnchor: 'middle' }
}
