interface SelectChange {
  readonly id: string
  readonly selected: boolean
}

/** The selection after changes, in its order. */
export function selectionAfter(selected: readonly string[], changes: readonly SelectChange[]): string[] {
  const ids = new Set(selected)
  for (const { id, selected: isSelected } of changes) {
    if (isSelected) ids.add(id)
    else ids.delete(id)
  }
  return [...ids]
}
