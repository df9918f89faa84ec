import styles from './DayChart.module.css'
import type { DaySeries } from './day-bars.ts'

interface DayChartTableProps {
  readonly title: string
  readonly days: readonly string[]
  readonly series: readonly DaySeries[]
  readonly describe: (value: number) => string
}

/** What a chart shows, for screen readers. Days on which nothing happened are left out. */
export function DayChartTable({ title, days, series, describe }: DayChartTableProps) {
  const busy = days
    .map((day, index) => ({ day, index }))
    .filter(({ index }) => series.some(({ values }) => (values[index] ?? 0) > 0))
  return (
    <div className={styles['hidden']}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {busy.map(({ day, index }) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {series.map(({ name, values }) => (
                <td key={name}>{describe(values[index] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
