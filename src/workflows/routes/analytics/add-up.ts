/** What some columns of rows come to together. */
export function addUp<Sum extends string>(
  rows: readonly Readonly<Record<Sum, number>>[],
  sums: readonly Sum[],
): Readonly<Record<Sum, number>> {
  const total = Object.fromEntries(sums.map((sum) => [sum, rows.reduce((value, row) => value + row[sum], 0)]))
  return total as Record<Sum, number>
}
