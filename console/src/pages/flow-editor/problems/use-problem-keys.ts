import { useEffect, useEffectEvent } from 'react'

/** F8 and Shift-F8, wherever the focus is but in a dialog. */
export function useProblemKeys(onStep: (way: 1 | -1) => void): void {
  const onKeyDown = useEffectEvent((press: KeyboardEvent) => {
    if (press.key !== 'F8' || press.ctrlKey || press.metaKey || press.altKey || press.defaultPrevented) return
    if (press.target instanceof Element && press.target.closest('[role="dialog"]') !== null) return
    press.preventDefault()
    onStep(press.shiftKey ? -1 : 1)
  })
  useEffect(() => {
    const listen = (press: KeyboardEvent) => onKeyDown(press)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
