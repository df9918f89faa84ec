import { createContext } from 'react'

/*
 * What a chart, or a group of charts, shows:
 *
 * | state     | place | anchor | left by                                                                    |
 * |-----------|-------|--------|----------------------------------------------------------------------------|
 * | idle      | –     | –      | pointer or focus on the plot → reading                                      |
 * | reading   | yes   | –      | pointer leaves, blur → idle; drag, Shift with an arrow key → selecting       |
 * | selecting | yes   | yes    | end of the drag, Enter → zoom; Escape, arrow key without Shift → reading     |
 *
 * The view is independent of these states: zooming sets it, Escape, a double click and "Reset zoom" remove it.
 */

/** A range of positions, both ends included. */
export interface ChartRange {
  readonly first: number
  readonly last: number
}

export interface ChartState {
  /** The position that is read. */
  readonly place?: number
  /** Where the selection began; it ends at `place`. */
  readonly anchor?: number
}

export interface ChartControl {
  readonly state: ChartState
  readonly setState: (state: ChartState) => void
  /** The zoomed range; undefined: everything. */
  readonly view: ChartRange | undefined
  readonly setView: (view: ChartRange | undefined) => void
}

/** The control that the charts of a group share, so that their cursors and zooms agree. */
export const ChartGroupContext = createContext<ChartControl | null>(null)

const moves: Readonly<Record<string, (place: number, last: number) => number>> = {
  ArrowLeft: (place) => Math.max(0, place - 1),
  ArrowRight: (place, last) => Math.min(last, place + 1),
  Home: () => 0,
  End: (_, last) => last,
}

/** The state after a key that moves the position among `count`; undefined for other keys. */
export function moveByKey(
  { place, anchor }: ChartState,
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  count: number,
): ChartState | undefined {
  const move = moves[key]
  if (move === undefined || count === 0) return undefined
  const from = Math.min(place ?? count - 1, count - 1)
  const moved = move(from, count - 1)
  return shiftKey ? { place: moved, anchor: anchor ?? from } : { place: moved }
}

/** The selected range; undefined when nothing, or a single position, is selected. */
export function selectedIn({ place, anchor }: ChartState): ChartRange | undefined {
  if (place === undefined || anchor === undefined || place === anchor) return undefined
  return { first: Math.min(place, anchor), last: Math.max(place, anchor) }
}

/** A range of the visible positions as a range of all positions. */
export function zoomInto(view: ChartRange | undefined, { first, last }: ChartRange): ChartRange {
  const offset = view?.first ?? 0
  return { first: first + offset, last: last + offset }
}

/** The position at a distance in pixels from the left edge of the plot. */
export function placeAt(x: number, count: number, width: number): number {
  return Math.max(0, Math.min(count - 1, Math.floor((x / Math.max(1, width)) * count)))
}
