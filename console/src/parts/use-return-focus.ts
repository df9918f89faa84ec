import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Restores the focus when a dialog closes: to the given element, or to the one that had it before. If that element is gone,
 * such as the row of a deleted item, the page's heading gets the focus.
 */
export function useReturnFocus(place: () => HTMLElement | null = () => null): void {
  const [before] = useState(() => document.activeElement)
  const giveBack = useEffectEvent(() => {
    const target = place() ?? before
    if (target instanceof HTMLElement && target.isConnected) target.focus()
    else document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  })
  useEffect(() => () => giveBack(), [])
}
