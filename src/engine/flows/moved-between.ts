interface Move {
  readonly id: string
  readonly from: number
  readonly to: number
}

/** The fewest ids that must have been moved to come from one order to the other. Ids that only one of them has do not count. */
export function movedBetween(older: readonly string[], newer: readonly string[]): Move[] {
  const kept = new Set(newer)
  const before = new Map(older.filter((id) => kept.has(id)).map((id, place) => [id, place]))
  const order = newer.flatMap((id) => before.get(id) ?? [])
  const ids = [...before.keys()]
  const stayed = new Set(longestRising(order))
  return order.flatMap((from, to) => {
    const id = ids[from]
    return stayed.has(from) || id === undefined ? [] : [{ id, from, to }]
  })
}

/** The longest row of numbers that rise; those that are not in it had to move. */
function longestRising(numbers: readonly number[]): number[] {
  /** The longest rising row that ends at each number: its length, and the place before it. */
  const rows: { readonly length: number; readonly before: number }[] = []
  let last = -1
  for (const [index, number] of numbers.entries()) {
    let row = { length: 1, before: -1 }
    for (let earlier = 0; earlier < index; earlier += 1) {
      const length = (rows[earlier]?.length ?? 0) + 1
      if ((numbers[earlier] ?? 0) < number && length > row.length) row = { length, before: earlier }
    }
    rows.push(row)
    if (row.length > (rows[last]?.length ?? 0)) last = index
  }
  const rising: number[] = []
  for (let at = last; at >= 0; at = rows[at]?.before ?? -1) rising.unshift(numbers[at] ?? 0)
  return rising
}
