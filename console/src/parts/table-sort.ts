/** The order of a table: the id of a column, and the direction. */
export interface Sort {
  readonly by: string
  readonly descending: boolean
}

/** A cell as a value that can be compared; null comes last in both directions. */
export type SortValue = string | number | null

/** Reads an order of the address, such as `-created` for the newest first; undefined for an unknown column. */
export function readSort(text: unknown, columns: readonly string[]): Sort | undefined {
  if (typeof text !== 'string') return undefined
  const descending = text.startsWith('-')
  const by = descending ? text.slice(1) : text
  return columns.includes(by) ? { by, descending } : undefined
}

export function writeSort(sort: Sort | undefined): string | undefined {
  return sort === undefined ? undefined : `${sort.descending ? '-' : ''}${sort.by}`
}

/** The order after a press on a column: its first direction, the other one, then the order of the list itself. */
export function nextSort(sort: Sort | undefined, { by, descending }: Sort): Sort | undefined {
  if (sort?.by !== by) return { by, descending }
  return sort.descending === descending ? { by, descending: !descending } : undefined
}

const texts = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** Rows in the order of a value; rows with equal values keep their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  valueOf: (row: Row) => SortValue,
  descending: boolean,
): readonly Row[] {
  const way = descending ? -1 : 1
  return rows
    .map((row) => ({ row, value: valueOf(row) }))
    .toSorted(({ value: one }, { value: other }) => {
      if (one === null || other === null) return Number(one === null) - Number(other === null)
      return way * compare(one, other)
    })
    .map(({ row }) => row)
}

function compare(one: string | number, other: string | number): number {
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : texts.compare(String(one), String(other))
}
