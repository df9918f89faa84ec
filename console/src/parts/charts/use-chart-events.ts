import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import {
  type ChartControl,
  type ChartState,
  moveByKey,
  placeAt,
  selectedIn,
  zoomInto,
} from './chart-state.ts'

interface ChartEventsOptions {
  readonly control: ChartControl
  /** The number of visible positions. */
  readonly count: number
  /** The plotting area inside the element; undefined until it is drawn. */
  readonly area: { readonly left: number; readonly width: number } | undefined
}

/** The handlers of a plot, which is one Tab stop with the role of a slider. The caller adds its name and its value. */
export function useChartEvents({ control, count, area }: ChartEventsOptions) {
  const { state, setState, view, setView } = control
  /** Where a drag began. A reference: the end of a drag may come before its last move is rendered. */
  const dragFrom = useRef<number>(undefined)

  const placeOf = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width } = area ?? { left: 0, width: 1 }
    return placeAt(clientX - currentTarget.getBoundingClientRect().left - left, count, width)
  }
  function zoom(selecting: ChartState): void {
    const selected = selectedIn(selecting)
    if (selected === undefined) return
    setState({})
    setView(zoomInto(view, selected))
  }
  function showAll(): boolean {
    if (state.anchor !== undefined && state.place !== undefined) setState({ place: state.place })
    else if (view !== undefined) setView(undefined)
    else return false
    return true
  }

  return {
    role: 'slider',
    tabIndex: 0,
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const place = placeOf(event)
      const anchor = dragFrom.current
      setState(anchor === undefined ? { place } : { place, anchor })
    },
    onPointerDown(event: PointerEvent<HTMLElement>) {
      const place = placeOf(event)
      // A finger that moves sideways reads; only a mouse or a pen selects.
      if (event.button !== 0 || event.pointerType === 'touch') return setState({ place })
      dragFrom.current = place
      event.currentTarget.setPointerCapture(event.pointerId)
      setState({ place, anchor: place })
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const anchor = dragFrom.current
      if (anchor === undefined) return
      dragFrom.current = undefined
      const place = placeOf(event)
      setState({ place })
      zoom({ place, anchor })
    },
    onPointerCancel() {
      dragFrom.current = undefined
      setState({})
    },
    onPointerLeave() {
      if (dragFrom.current === undefined) setState({})
    },
    onDoubleClick: () => setView(undefined),
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const moved = moveByKey(state, event, count)
      if (moved !== undefined) setState(moved)
      else if (event.key === 'Enter') zoom(state)
      else if (event.key !== 'Escape' || !showAll()) return
      event.preventDefault()
      event.stopPropagation()
    },
    onFocus() {
      if (state.place === undefined && count > 0) setState({ place: count - 1 })
    },
    onBlur() {
      if (dragFrom.current === undefined) setState({})
    },
  } as const
}
