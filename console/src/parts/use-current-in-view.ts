import { type RefObject, useEffect } from 'react'

/**
 * Narrow screens scroll a row of tabs sideways: whenever the current one changes, it is brought to the middle of the row.
 * The page itself does not move.
 */
export function useCurrentInView(row: RefObject<HTMLElement | null>, current: string): void {
  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>('[aria-selected=true], [aria-current]')
    if (row.current === null || tab == null || current === '') return
    const [all, one] = [row.current.getBoundingClientRect(), tab.getBoundingClientRect()]
    row.current.scrollBy({ left: one.left - all.left - (all.width - one.width) / 2 })
  }, [row, current])
}
