import { type KeyboardEvent, type PointerEvent, useState } from 'react'

const moves: Readonly<Record<string, (place: number, last: number) => number>> = {
  ArrowLeft: (place) => Math.max(0, place - 1),
  ArrowRight: (place, last) => Math.min(last, place + 1),
  Home: () => 0,
  End: (_, last) => last,
}

interface ChartReadingOptions {
  /** The number of positions, side by side. */
  readonly count: number
  /** The index of the position at a distance in pixels from the left edge. */
  readonly placeAt: (x: number) => number
}

/**
 * Selects a position of a chart: the one under the pointer, or the one reached with arrow keys, Home and End. `reader` makes
 * an element one Tab stop with the role of a slider; the caller adds its name and the value as text.
 */
export function useChartReading({ count, placeAt }: ChartReadingOptions) {
  const [place, setPlace] = useState<number>()
  const last = count - 1
  const shown = place === undefined || place > last ? undefined : place
  const readAtPointer = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) =>
    setPlace(placeAt(clientX - currentTarget.getBoundingClientRect().left))
  const onKeyDown = (press: KeyboardEvent<HTMLElement>) => {
    const move = moves[press.key]
    if (move === undefined || press.ctrlKey || press.metaKey || press.altKey) return
    press.preventDefault()
    setPlace(move(shown ?? last, last))
  }
  return {
    shown,
    reader: {
      role: 'slider',
      tabIndex: 0,
      'aria-valuemin': 1,
      'aria-valuemax': Math.max(1, count),
      'aria-valuenow': (shown ?? last) + 1,
      onPointerMove: readAtPointer,
      onPointerDown: readAtPointer,
      onPointerLeave: () => setPlace(undefined),
      onKeyDown,
      onFocus: () => setPlace((now) => now ?? last),
      onBlur: () => setPlace(undefined),
    },
  } as const
}
