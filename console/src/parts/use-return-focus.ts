import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Gives the focus back when a dialog goes: to the place it names, or to what had the focus when it came. What is gone by
 * then, such as the row of a thing that was deleted, leaves it to the page's heading.
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
