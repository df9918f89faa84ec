import { useEffect, useEffectEvent, useState } from 'react'

/** Gives the focus back when a dialog goes: to the place it names, or to what had the focus when it came. */
export function useReturnFocus(place: () => HTMLElement | null = () => null): void {
  const [before] = useState(() => document.activeElement)
  const giveBack = useEffectEvent(() => {
    const target = place() ?? before
    if (target instanceof HTMLElement) target.focus()
  })
  useEffect(() => () => giveBack(), [])
}
