/** Adds up some columns of rows that belong together. */
export function addUpBy<Row extends Readonly<Record<Sum, number>>, Key, Sum extends string>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
  sums: readonly Sum[],
): ReadonlyMap<Key, Readonly<Record<Sum, number>>> {
  const groups = Map.groupBy(rows, keyOf)
  return new Map(
    [...groups].map(([key, group]) => {
      const total = sums.map((sum) => [sum, group.reduce((value, row) => value + row[sum], 0)])
      return [key, Object.fromEntries(total) as Record<Sum, number>]
    }),
  )
}
