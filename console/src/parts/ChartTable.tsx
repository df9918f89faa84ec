import styles from './ChartTable.module.css'

interface ChartRow {
  readonly name: string
  /** One value for each series. */
  readonly cells: readonly string[]
}

interface ChartTableProps {
  readonly title: string
  /** The title of the first column, such as the day or the hour. */
  readonly rowTitle: string
  readonly columns: readonly string[]
  readonly rows: readonly ChartRow[]
}

/** The data of a chart as a table, for screen readers. */
export function ChartTable({ title, rowTitle, columns, rows }: ChartTableProps) {
  return (
    <div className={styles['hidden']}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{rowTitle}</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cells }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, index) => (
                <td key={columns[index]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
