import { useElementSize } from '@mantine/hooks'
import { ChartTable } from './ChartTable.tsx'
import { dayAt, type PlotSize, pickLabels, roundUp } from './day-bars.ts'
import styles from './LineChart.module.css'
import { useChartReading } from './use-chart-reading.ts'

/** A position on the time axis, with a long and a short name. */
export interface ChartPlace {
  readonly name: string
  readonly shortName: string
}

interface LineChartProps {
  /** The title of the chart. */
  readonly title: string
  readonly places: readonly ChartPlace[]
  /** One or two series: only two line styles can be distinguished. */
  readonly series: readonly LineSeries[]
  /** The value of each series in the legend while no position is selected. */
  readonly totals: readonly string[]
  /** The name of the whole timeframe. */
  readonly whole: string
  readonly describe: (value: number) => string
  /** The short form of a value, for the axis. */
  readonly describeAxis: (value: number) => string
}

const height = 120
const axisWidth = 52
const labelWidth = 48

/**
 * One or two lines over time, with gaps where no value was measured. The legend shows the totals, or the values of the
 * position under the pointer; with the focus on the lines, arrow keys move between positions. Screen readers get the data as
 * a table.
 */
export function LineChart(props: LineChartProps) {
  const { title, places, series, totals, whole, describe, describeAxis } = props
  const { ref, width: frameWidth } = useElementSize()
  const width = Math.max(0, frameWidth - axisWidth)
  const top = roundUp(highestOf(series))
  const { shown, reader } = useChartReading({
    count: places.length,
    placeAt: (x) => dayAt(x - axisWidth, places.length, width),
  })
  const when = shown === undefined ? whole : (places[shown]?.name ?? whole)
  const tell = (value: number | null | undefined) =>
    value === null || value === undefined ? 'not measured' : describe(value)
  const valueOf = ({ values }: LineSeries, index: number) =>
    shown === undefined ? (totals[index] ?? '') : tell(values[shown])
  const words = series.map((each, index) => `${each.name} ${valueOf(each, index)}`).join(', ')
  const size = { width, height }
  const count = places.length

  return (
    <figure className={styles['chart']} aria-label={title}>
      <div
        ref={ref}
        className={styles['plot']}
        {...reader}
        aria-label={`${title}, step by step`}
        aria-valuetext={`${when}: ${words}`}
      >
        {width === 0 ? null : (
          <svg width={frameWidth} height={height + 32} aria-hidden>
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
                <line
                  className={styles['place']}
                  x1={pointOf(shown, 0, places.length, size, top).x}
                  x2={pointOf(shown, 0, places.length, size, top).x}
                  y2={height}
                />
              )}
              {series.map(({ name, values }, index) => (
                <g key={name} className={styles['series']} data-series={index}>
                  <path d={drawLine(values, size, top)} />
                  {placesAlone(values).map((place) => (
                    <Dot key={place} value={values[place]} place={place} size={size} {...{ count, top }} />
                  ))}
                  {shown === undefined ? null : (
                    <Dot value={values[shown]} place={shown} size={size} {...{ count, top }} isRead />
                  )}
                </g>
              ))}
              {pickLabels(places.length, width, 72).map((index) => (
                <text
                  key={index}
                  className={styles['label']}
                  {...labelPlace(pointOf(index, 0, places.length, size, top).x, width)}
                  y={height + 19}
                >
                  {places[index]?.shortName}
                </text>
              ))}
            </g>
          </svg>
        )}
      </div>
      <figcaption className={styles['legend']}>
        <strong>{when}</strong>
        <ul>
          {series.map((each, index) => (
            <li key={each.name}>
              <svg className={styles['series']} data-series={index} width={20} height={8} aria-hidden>
                <path d="M1 4H19" />
              </svg>
              <span className={styles['name']}>{each.name}</span>
              <span>{valueOf(each, index)}</span>
            </li>
          ))}
        </ul>
      </figcaption>
      <ChartTable
        title={title}
        rowTitle="Time"
        columns={series.map(({ name }) => name)}
        rows={places.flatMap(({ name }, index) =>
          series.every(({ values }) => (values[index] ?? null) === null)
            ? []
            : [{ name, cells: series.map(({ values }) => tell(values[index])) }],
        )}
      />
    </figure>
  )
}

interface DotProps {
  readonly value: number | null | undefined
  readonly place: number
  readonly count: number
  readonly size: { readonly width: number; readonly height: number }
  readonly top: number
  /** Whether the dot marks the selected position. */
  readonly isRead?: boolean
}

function Dot({ value, place, count, size, top, isRead = false }: DotProps) {
  if (value === null || value === undefined) return null
  const { x, y } = pointOf(place, value, count, size, top)
  return <circle cx={x} cy={y} r={isRead ? 3.5 : 2} />
}

/** The position of a label below its point, inside the edges of the plot. */
function labelPlace(x: number, width: number): { x: number; textAnchor: 'middle' | 'end' } {
  return x + labelWidth / 2 > width ? { x: width, textAnchor: 'end' } : { x, textAnchor: 'middle' }
}

interface LineSeries {
  readonly name: string
  /** One value for each position; null where no value was measured. */
  readonly values: ReadonlyArray<number | null>
}

/** The coordinates of a value: all positions have equal width, and the point is in the middle of its own. */
export function pointOf(place: number, value: number, count: number, size: PlotSize, top: number) {
  return {
    x: rounded(((place + 0.5) * size.width) / Math.max(count, 1)),
    y: rounded(size.height - (value / top) * size.height),
  }
}

/** The path of a line, interrupted where no value was measured. */
export function drawLine(values: LineSeries['values'], size: PlotSize, top: number): string {
  let path = ''
  let isContinued = false
  for (const [place, value] of values.entries()) {
    if (value !== null) {
      const { x, y } = pointOf(place, value, values.length, size, top)
      path += `${isContinued ? 'L' : 'M'}${x} ${y}`
    }
    isContinued = value !== null
  }
  return path
}

/** The positions of values without a neighbour, which no line shows. */
export function placesAlone(values: LineSeries['values']): readonly number[] {
  const isMeasured = (place: number) => (values[place] ?? null) !== null
  return [...values.keys()].filter(
    (place) => isMeasured(place) && !isMeasured(place - 1) && !isMeasured(place + 1),
  )
}

/** The highest value of all series; 0 without values. */
export function highestOf(series: readonly LineSeries[]): number {
  return series.reduce(
    (highest, { values }) => values.reduce<number>((most, value) => Math.max(most, value ?? 0), highest),
    0,
  )
}

function rounded(length: number): number {
  return Math.round(length * 10) / 10
}
