import { useEffect, useRef } from 'react'

/** What of a step can take the focus. */
export type StepPart = 'open' | 'title' | 'up' | 'down' | 'target'

/** Moves the focus once the list shows what was just done. A step that is gone leaves it to the button that adds one. */
export function usePendingFocus(): (key: string | undefined, part: StepPart) => void {
  const wanted = useRef<{ readonly key: string | undefined; readonly part: StepPart }>(undefined)
  useEffect(() => {
    if (wanted.current === undefined) return
    const { key, part } = wanted.current
    wanted.current = undefined
    const step = key === undefined ? null : document.querySelector(`[data-step="${CSS.escape(key)}"]`)
    const place = step?.querySelector<HTMLElement>(`[data-part="${part}"]`)
    const target = place ?? document.querySelector<HTMLElement>('[data-part="add"]')
    target?.focus()
    if (target instanceof HTMLInputElement && part === 'title') target.select()
  })
  return (key, part) => {
    wanted.current = { key, part }
  }
}
