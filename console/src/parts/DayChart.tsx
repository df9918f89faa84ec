import { useElementSize } from '@mantine/hooks'
import { useId } from 'react'
import { describeDay, describeShortDay } from '../time/describe-time.ts'
import { ChartTable } from './ChartTable.tsx'
import styles from './DayChart.module.css'
import { type DaySeries, dayAt, pickLabels, roundUp, stackBars, sumOfDay } from './day-bars.ts'
import { fillOf, SeriesPatterns, Swatch } from './SeriesPatterns.tsx'
import { useChartReading } from './use-chart-reading.ts'

interface DayChartProps {
  /** The title of the chart. */
  readonly title: string
  /** The days in order, such as `2026-11-15`. */
  readonly days: readonly string[]
  /** At most as many series as there are patterns; the first is at the bottom. */
  readonly series: readonly DaySeries[]
  readonly describe: (value: number) => string
  /** The short form of a value, for the axis. */
  readonly describeAxis: (value: number) => string
}

const height = 200
const axisWidth = 56
const labelWidth = 48

/**
 * A stacked bar for each day. The legend shows the totals, or the values of the day under the pointer; with the focus on the
 * bars, arrow keys move from day to day. Screen readers get the data as a table.
 */
export function DayChart({ title, days, series, describe, describeAxis }: DayChartProps) {
  const patterns = useId()
  const { ref, width: frameWidth } = useElementSize()
  const width = Math.max(0, frameWidth - axisWidth)
  const totals = days.map((_, index) => sumOfDay(series, index))
  const top = roundUp(Math.max(0, ...totals))
  const { shown, reader } = useChartReading({
    count: days.length,
    placeAt: (x) => dayAt(x - axisWidth, days.length, width),
  })
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
        {...reader}
        aria-label={`${title}, day by day`}
        aria-valuetext={words}
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
      <ChartTable
        title={title}
        rowTitle="Day"
        columns={series.map(({ name }) => name)}
        rows={busyDays(days, series).map(({ day, index }) => ({
          name: day,
          cells: series.map(({ values }) => describe(values[index] ?? 0)),
        }))}
      />
    </figure>
  )
}

/** The table leaves out days without any value. */
function busyDays(days: readonly string[], series: readonly DaySeries[]) {
  return days
    .map((day, index) => ({ day, index }))
    .filter(({ index }) => series.some(({ values }) => (values[index] ?? 0) > 0))
}

/** The position of a label below its bar, inside the edges of the plot. */
function labelPlace(x: number, width: number): { x: number; textAnchor: 'middle' | 'end' } {
  return x + labelWidth / 2 > width ? { x: width, textAnchor: 'end' } : { x, textAnchor: 'middle' }
}
