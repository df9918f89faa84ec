import { type KeyboardEvent, useState } from 'react'

export type RowKey = string | number

const moves: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowDown: (index, last) => Math.min(index + 1, last),
  ArrowUp: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
}

/**
 * Makes all rows of a table one Tab stop, with arrow keys, Home and End to move between them, so that controls after a long
 * table stay reachable. The Tab stop is the row that had the focus last, or the first one.
 */
export function useRowFocus(keys: readonly RowKey[]) {
  const [lastFocused, setLastFocused] = useState<RowKey>()
  return {
    stop: lastFocused !== undefined && keys.includes(lastFocused) ? lastFocused : keys[0],
    onFocusRow: setLastFocused,
    onKeyDown: (press: KeyboardEvent<HTMLElement>) => {
      const move = moves[press.key]
      if (move === undefined || press.ctrlKey || press.metaKey || press.altKey || press.shiftKey) return
      const rows = [...press.currentTarget.querySelectorAll<HTMLElement>('[data-row]')]
      const index = rows.findIndex((row) => row === press.target)
      if (index < 0) return
      press.preventDefault()
      rows[move(index, rows.length - 1)]?.focus()
    },
  }
}

/** The element that gets the focus for a row with details, if the row is listed. */
export function findRow(key: RowKey): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-row="${key}"]`)
}
