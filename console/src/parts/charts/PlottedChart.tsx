import { Button, useComputedColorScheme } from '@mantine/core'
import { type HTMLAttributes, type RefObject, use, useEffect, useRef, useState } from 'react'
import { ChartTable } from '../ChartTable.tsx'
import { roundUp } from '../day-bars.ts'
import {
  type ChartControl,
  ChartGroupContext,
  type ChartRange,
  type ChartState,
  selectedIn,
} from './chart-state.ts'
import { type Drawing, drawPlot, type Plot } from './draw-plot.ts'
import { LegendSwatch } from './LegendSwatch.tsx'
import styles from './TimeChart.module.css'
import type { TimeChartProps } from './time-chart-props.ts'
import { highestOf, stackValues, sumOf, type TimeSeries } from './time-series.ts'
import { useChartEvents } from './use-chart-events.ts'

const height = 180

/** The chart of `TimeChart`, in a chunk with uPlot. */
export default function PlottedChart(props: TimeChartProps) {
  const { title, describe, describeAxis, empty } = props
  const own = useOwnControl()
  const control = use(ChartGroupContext) ?? own
  const { state, view, setView } = control
  const { places, series, compare } = visiblePart(props, view)
  const [plot, setPlot] = useState<Plot>()
  const events = useChartEvents({ control, count: places.length, area: plot?.area })
  const isEmpty =
    empty !== undefined && [...series, ...(compare === undefined ? [] : [compare])].every(isQuiet)
  const shown = state.place === undefined || state.place >= places.length ? undefined : state.place
  const when = shown === undefined ? nameOfView(props, view) : (places[shown]?.name ?? props.whole)
  const tell = (value: number | null | undefined) =>
    value === null || value === undefined ? 'not measured' : describe(value)
  const valueOf = (each: TimeSeries, total: string | undefined) => {
    if (shown !== undefined) return tell(each.values[shown])
    if (view === undefined) return total ?? ''
    return each.adds === true ? describe(sumOf(each.values)) : ''
  }
  const legend = [
    ...series.map((each, index) => ({ each, value: valueOf(each, props.totals[index]) })),
    ...(compare === undefined
      ? []
      : [{ each: { ...compare, adds: true }, value: valueOf({ ...compare, adds: true }, compare.total) }]),
  ]
  const words = legend.map(({ each, value }) => `${each.name} ${value}`).join(', ')

  return (
    <figure className={styles['chart']} aria-label={title}>
      {isEmpty ? (
        <p className={styles['empty']}>{empty}</p>
      ) : (
        <PlotArea
          plot={plot}
          onPlot={setPlot}
          drawing={drawingOf({ places, series, compare }, describeAxis)}
          shown={shown}
          selected={selectedIn(state)}
          reader={{
            ...events,
            'aria-label': `${title}, step by step`,
            'aria-valuemin': 1,
            'aria-valuemax': Math.max(1, places.length),
            'aria-valuenow': (shown ?? places.length - 1) + 1,
            'aria-valuetext': `${when}: ${words}`,
          }}
        />
      )}
      <figcaption className={styles['legend']}>
        <strong>{when}</strong>
        {view === undefined ? null : (
          <Button size="compact-xs" variant="default" onClick={() => setView(undefined)}>
            Reset zoom
          </Button>
        )}
        <ul>
          {legend.map(({ each, value }, index) => (
            <li key={each.name}>
              <LegendSwatch series={each} index={index} isCompared={index >= series.length} />
              <span className={styles['name']}>{each.name}</span>
              <span>{value}</span>
            </li>
          ))}
        </ul>
      </figcaption>
      <ChartTable
        title={title}
        rowTitle="Time"
        columns={legend.map(({ each }) => each.name)}
        rows={places.flatMap(({ name }, place) =>
          legend.every(({ each }) => (each.values[place] ?? 0) === 0)
            ? []
            : [{ name, cells: legend.map(({ each }) => tell(each.values[place])) }],
        )}
      />
    </figure>
  )
}

/** What is drawn, as plain data. */
function drawingOf(
  { places, series, compare }: ReturnType<typeof visiblePart>,
  describeAxis: TimeChartProps['describeAxis'],
): Omit<Drawing, 'width' | 'height'> {
  const top = roundUp(highestOf([...stackValues(series), compare?.values ?? []]))
  return {
    labels: places.map(({ shortName }) => shortName),
    series,
    compared: compare?.values,
    axis: [0, top / 2, top].map((value) => ({ value, label: describeAxis(value) })),
    top,
  }
}

function useOwnControl(): ChartControl {
  const [state, setState] = useState<ChartState>({})
  const [view, setView] = useState<ChartRange>()
  return { state, setState, view, setView }
}

/** The positions inside the zoomed range. */
function visiblePart({ places, series, compare }: TimeChartProps, view: ChartRange | undefined) {
  if (view === undefined) return { places, series, compare }
  const part = <Item,>(items: readonly Item[]) => items.slice(view.first, view.last + 1)
  return {
    places: part(places),
    series: series.map((each) => ({ ...each, values: part(each.values) })),
    compare: compare === undefined ? undefined : { ...compare, values: part(compare.values) },
  }
}

function nameOfView({ places, whole }: TimeChartProps, view: ChartRange | undefined): string {
  if (view === undefined) return whole
  return `${places[view.first]?.shortName ?? ''} – ${places[view.last]?.shortName ?? ''}`
}

function isQuiet({ values }: Pick<TimeSeries, 'values'>): boolean {
  return values.every((value) => (value ?? 0) === 0)
}

interface PlotAreaProps {
  readonly drawing: Omit<Drawing, 'width' | 'height'>
  readonly plot: Plot | undefined
  readonly onPlot: (plot: Plot | undefined) => void
  readonly shown: number | undefined
  readonly selected: ChartRange | undefined
  readonly reader: HTMLAttributes<HTMLElement>
}

/** The canvas: drawn again when its data, its width or the colour scheme changes. */
function PlotArea({ drawing, plot, onPlot, shown, selected, reader }: PlotAreaProps) {
  const host = useRef<HTMLDivElement>(null)
  const width = useWidthOf(host)
  const scheme = useComputedColorScheme()
  // As a text, because callers pass new objects with the same values.
  const drawn = JSON.stringify({ ...drawing, width, height, scheme })
  useEffect(() => {
    const wanted = JSON.parse(drawn) as Drawing
    if (host.current === null || wanted.width === 0) return undefined
    const made = drawPlot(host.current, wanted)
    onPlot(made)
    return () => {
      onPlot(undefined)
      made[Symbol.dispose]()
    }
  }, [drawn, onPlot])
  const [first, last] = [selected?.first, selected?.last]
  useEffect(() => {
    plot?.point(shown)
    plot?.mark(first === undefined || last === undefined ? undefined : { first, last })
  }, [plot, shown, first, last])
  return (
    <div className={styles['plot']} {...reader}>
      <div ref={host} className={styles['canvas']} aria-hidden />
    </div>
  )
}

/** The width of an element in whole pixels. It is read from the element, because an observed size may be outdated when it arrives. */
function useWidthOf(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const measured = element.current
    if (measured === null) return undefined
    const observer = new ResizeObserver(() => setWidth(measured.clientWidth))
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element])
  return width
}
