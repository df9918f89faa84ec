/** The Levenshtein distance of two texts. */
export function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let index = 0; index < left.length; index += 1) {
    const next = [index + 1]
    for (let column = 1; column <= right.length; column += 1) {
      const change = (row[column - 1] ?? 0) + (right[column - 1] === left[index] ? 0 : 1)
      next.push(Math.min(change, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[right.length] ?? 0
}
