import { type ReactNode, useState } from 'react'
import { type ChartControl, ChartGroupContext, type ChartRange, type ChartState } from './chart-state.ts'

interface ChartGroupProps {
  /** The zoomed range of positions; undefined: everything. */
  readonly view: ChartRange | undefined
  readonly onView: (view: ChartRange | undefined) => void
  readonly children: ReactNode
}

/** Charts with the same positions: their cursors move together, and a zoom of one zooms all. */
export function ChartGroup({ view, onView, children }: ChartGroupProps) {
  const [state, setState] = useState<ChartState>({})
  const control: ChartControl = { state, setState, view, setView: onView }
  return <ChartGroupContext value={control}>{children}</ChartGroupContext>
}
