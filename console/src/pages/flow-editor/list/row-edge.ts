/** The side of a row that something would be put at. */
export type Edge = 'before' | 'after'

/** The side of a row that is nearer to the pointer. */
export function edgeAt(row: Element, clientY: number): Edge {
  const { top, height } = row.getBoundingClientRect()
  return clientY < top + height / 2 ? 'before' : 'after'
}
