import { Suspense } from 'react'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import styles from './TimeChart.module.css'
import type { TimeChartProps } from './time-chart-props.ts'

const LoadedChart = lazyPart(() => import('./PlottedChart.tsx'))

/**
 * Values over time: lines, areas or stacked bars, with the period before as a dashed line. The legend shows the totals, or
 * the values of the position under the pointer. Dragging over the plot zooms in, a double click shows everything again. With
 * the focus on the plot, arrow keys move between positions, Shift selects, Enter zooms in and Escape shows everything.
 * Screen readers get the data as a table. The code is loaded when the first chart is shown.
 */
export function TimeChart(props: TimeChartProps) {
  return (
    <Suspense fallback={<div className={styles['placeholder']} aria-busy />}>
      <LoadedChart {...props} />
    </Suspense>
  )
}
