/** How a step was clicked. */
interface Click {
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
}

/** The selection after a click: one step, with Ctrl toggled, with Shift the range from the first one. */
export function selectionAfterClick(
  ids: readonly string[],
  selected: readonly string[],
  clicked: string,
  { shiftKey, ctrlKey, metaKey }: Click,
): readonly string[] {
  const [anchor] = selected
  if (shiftKey && anchor !== undefined && ids.includes(anchor)) {
    const [from, to] = [ids.indexOf(anchor), ids.indexOf(clicked)]
    // The first stays the first, so that the next Shift begins there again.
    return from <= to ? ids.slice(from, to + 1) : ids.slice(to, from + 1).toReversed()
  }
  if (!ctrlKey && !metaKey) return [clicked]
  return selected.includes(clicked) ? selected.filter((id) => id !== clicked) : [...selected, clicked]
}

const moves: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowUp: (index) => Math.max(index - 1, 0),
  ArrowDown: (index, last) => Math.min(index + 1, last),
  Home: () => 0,
  End: (_, last) => last,
}

/** The row a key leads to from another; undefined for keys that lead nowhere. */
export function rowAfterKey(key: string, index: number, total: number): number | undefined {
  return Object.hasOwn(moves, key) ? moves[key]?.(index, total - 1) : undefined
}
