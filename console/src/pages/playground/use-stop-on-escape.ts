import { useEffect, useEffectEvent } from 'react'

/** Escape stops an answer while it comes, wherever the focus is, unless a dialog or a list is open that it closes. */
export function useStopOnEscape(isRunning: boolean, stop: () => void): void {
  const onEscape = useEffectEvent(stop)
  useEffect(() => {
    if (!isRunning) return undefined
    const onKeyDown = (press: KeyboardEvent) => {
      const isTaken =
        press.target instanceof Element &&
        press.target.closest('[role="dialog"], [aria-expanded="true"][role="combobox"]') !== null
      if (press.key === 'Escape' && !press.defaultPrevented && !isTaken) onEscape()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isRunning])
}
