import type { Column } from './Table.tsx'

/** The rows that contain every word of the text, in the columns that show texts. */
export function filterRows<Row>(
  rows: readonly Row[],
  columns: ReadonlyArray<Column<Row>>,
  text: string | undefined,
): readonly Row[] {
  const words = text?.toLowerCase().split(/\s+/).filter(Boolean) ?? []
  if (words.length === 0) return rows
  return rows.filter((row) => {
    const shown = columns.map((column) => textOf(row, column).toLowerCase())
    return words.every((word) => shown.some((cell) => cell.includes(word)))
  })
}

/** Numbers and times are values in other units than the ones people read: their columns are not searched. */
function textOf<Row>(row: Row, { text, value, numeric = false }: Column<Row>): string {
  if (text !== undefined) return text(row)
  const found = numeric ? undefined : value?.(row)
  return typeof found === 'string' ? found : ''
}

/** Whether a filter can find something in the columns. */
export function canFilter<Row>(columns: ReadonlyArray<Column<Row>>): boolean {
  return columns.some(({ text, value, numeric = false }) => text ?? (numeric ? undefined : value))
}
