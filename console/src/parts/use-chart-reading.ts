import { type KeyboardEvent, type PointerEvent, useState } from 'react'

const moves: Readonly<Record<string, (place: number, last: number) => number>> = {
  ArrowLeft: (place) => Math.max(0, place - 1),
  ArrowRight: (place, last) => Math.min(last, place + 1),
  Home: () => 0,
  End: (_, last) => last,
}

interface ChartReadingOptions {
  /** How many places there are to read, side by side. */
  readonly count: number
  /** The place at so many pixels from the left edge. */
  readonly placeAt: (x: number) => number
}

/**
 * Which place of a chart is being read: the one under the pointer, or the one that arrows, Home and End went to. `reader` makes
 * an element one stop of the Tab key that tells its place as a slider does; it still needs a name and the value in words.
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
