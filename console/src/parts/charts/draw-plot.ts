import 'uplot/dist/uPlot.min.css'
import uPlot from 'uplot'
import { pickLabels } from '../day-bars.ts'
import type { ChartRange } from './chart-state.ts'
import {
  type Hatch,
  placesAlone,
  type SeriesTone,
  stackValues,
  styleAt,
  type TimeSeries,
} from './time-series.ts'

/** What is drawn: series from the first at the bottom to the last, and the period before as a dashed line. */
export interface Drawing {
  readonly labels: readonly string[]
  readonly series: readonly TimeSeries[]
  readonly compared: ReadonlyArray<number | null> | undefined
  /** The lines of the grid. */
  readonly axis: readonly { readonly value: number; readonly label: string }[]
  /** The value at the upper edge. */
  readonly top: number
  readonly width: number
  readonly height: number
}

/** A drawn plot. */
export interface Plot extends Disposable {
  /** The left edge and the width of the plotting area in pixels. */
  readonly area: { readonly left: number; readonly width: number }
  /** Shows the cursor at a position, or hides it. */
  point(place: number | undefined): void
  /** Marks a range of positions. */
  mark(range: ChartRange | undefined): void
}

const axisWidth = 56
const axisHeight = 28
const padding = { top: 8, right: 20 }
const barShare = 0.72
const widestBar = 28

/** Draws the series with uPlot, in the colours of the current colour scheme. Positions have equal width. */
export function drawPlot(host: HTMLElement, drawing: Drawing): Plot {
  const { labels, series, compared, axis: lines, top, width, height } = drawing
  const colours = readColours()
  const count = labels.length
  const stacked = stackValues(series)
  const shown = labelledPlaces(labels, width)
  const font = `12px ${getComputedStyle(document.body).fontFamily}`
  const axis = { stroke: colours['text-faint'], font, ticks: { show: false } }
  // The highest stacked bar is drawn first, so that the lower ones cover it.
  const order = [...series.entries()].toReversed()
  const plot = new uPlot(
    {
      width,
      height,
      padding: [padding.top, padding.right, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        drag: { x: false, y: false },
        points: { show: false },
        bind: { mousemove: () => null, mousedown: () => null, mouseup: () => null, mouseleave: () => null },
      },
      select: { show: true, left: 0, top: 0, width: 0, height: 0 },
      scales: { x: { time: false, range: () => [-0.5, count - 0.5] }, y: { range: () => [0, top] } },
      axes: [
        {
          ...axis,
          size: axisHeight,
          grid: { show: false },
          splits: () => [...shown],
          values: () => shown.map((place) => labels[place] ?? ''),
        },
        {
          ...axis,
          size: axisWidth,
          grid: { stroke: colours.line, width: 1 },
          splits: () => lines.map(({ value }) => value),
          values: () => lines.map(({ label }) => label),
        },
      ],
      series: [
        {},
        ...order.map(([index, each]) => styleOf(each, index, colours)),
        ...(compared === undefined ? [] : [compareStyle(colours)]),
      ],
    },
    [
      labels.map((_, place) => place),
      ...order.map(([index]) => [...(stacked[index] ?? [])]),
      ...(compared === undefined ? [] : [[...compared]]),
    ],
    host,
  )
  // Known from the sizes above: uPlot lays its elements out a moment later.
  const area = { left: axisWidth, width: width - axisWidth - padding.right }
  const areaHeight = height - axisHeight - padding.top
  const edge = (place: number) => (place / Math.max(1, count)) * area.width
  return {
    area,
    point(place) {
      plot.setCursor(place === undefined ? { left: -10, top: -10 } : { left: edge(place + 0.5), top: 0 })
    },
    mark(range) {
      const [from, to] = range === undefined ? [0, 0] : [edge(range.first), edge(range.last + 1)]
      plot.setSelect({ left: from, width: to - from, top: 0, height: areaHeight }, false)
    },
    [Symbol.dispose]: () => plot.destroy(),
  }
}

/** The positions with a label: full hours where the labels are times of day, else any, and as many as fit. */
export function labelledPlaces(labels: readonly string[], width: number): readonly number[] {
  const hours = labels.flatMap((label, place) => (label.endsWith(':00') ? [place] : []))
  const places = hours.length === 0 ? [...labels.keys()] : hours
  return pickLabels(places.length, width - axisWidth, width < 480 ? 96 : 72).map(
    (index) => places[index] ?? 0,
  )
}

type Colours = Readonly<Record<SeriesTone | 'line' | 'surface', string>>

/** The canvas cannot use CSS variables: their values are read when the plot is drawn. */
function readColours(): Colours {
  const style = getComputedStyle(document.documentElement)
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim()
  return {
    accent: read('accent'),
    bad: read('bad'),
    'text-faint': read('text-faint'),
    line: read('line'),
    surface: read('surface'),
  }
}

function styleOf(series: TimeSeries, index: number, colours: Colours): uPlot.Series {
  const { tone, hatch, dash } = styleAt(series, index)
  const colour = colours[tone]
  if (series.as === 'bars') {
    const bars = uPlot.paths.bars?.({ size: [barShare, widestBar] })
    return {
      fill: hatch === 'none' ? colour : (hatched(colour, colours.surface, hatch) ?? colour),
      stroke: colours.surface,
      width: 0,
      points: { show: false },
      ...(bars === undefined ? {} : { paths: bars }),
    }
  }
  return {
    stroke: colour,
    width: 1.5,
    dash: [...dash],
    ...(series.as === 'area' ? { fill: `color-mix(in srgb, ${colour} 12%, transparent)` } : {}),
    points: { show: true, size: 4, fill: colour, filter: () => placesAlone(series.values) },
  }
}

function compareStyle(colours: Colours): uPlot.Series {
  return { stroke: colours['text-faint'], width: 1, dash: [2, 3], points: { show: false } }
}

/** A pattern of lines in the colour of the ground. */
function hatched(colour: string, ground: string, hatch: Exclude<Hatch, 'none'>): CanvasPattern | undefined {
  const size = 6 * Math.max(1, Math.round(devicePixelRatio))
  const tile = new OffscreenCanvas(size, size)
  const context = tile.getContext('2d')
  if (context === null) return undefined
  context.fillStyle = colour
  context.fillRect(0, 0, size, size)
  context.strokeStyle = ground
  context.lineWidth = size / 6
  context.beginPath()
  const lines = {
    rising: [-size, 0, size].map((shift) => [shift, size, shift + size, 0] as const),
    falling: [-size, 0, size].map((shift) => [shift, 0, shift + size, size] as const),
    level: [[0, size / 2, size, size / 2] as const],
  }
  for (const [fromX, fromY, toX, toY] of lines[hatch]) {
    context.moveTo(fromX, fromY)
    context.lineTo(toX, toY)
  }
  context.stroke()
  return context.createPattern(tile, 'repeat') ?? undefined
}
