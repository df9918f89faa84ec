import { useEffect, useRef } from 'react'

/** The focusable parts of a step. */
export type StepPart = 'open' | 'title' | 'up' | 'down' | 'target'

interface FocusTarget {
  readonly key: string | undefined
  readonly part: StepPart
  readonly since: number
}

/** After this time the element is not expected any more, and the pending focus is dropped. */
const patienceMs = 2000

/** Moves the focus to an element once the list has rendered it; without a step, to the button that adds one. */
export function usePendingFocus(): (key: string | undefined, part: StepPart) => void {
  const wanted = useRef<FocusTarget>(undefined)
  useEffect(() => {
    if (wanted.current === undefined) return
    const { key, part, since } = wanted.current
    const place =
      key === undefined ? '[data-part="add"]' : `[data-step="${CSS.escape(key)}"] [data-part="${part}"]`
    const target = document.querySelector<HTMLElement>(place)
    // The element may appear only with a later render.
    if (target === null && performance.now() - since < patienceMs) return
    wanted.current = undefined
    target?.focus()
    if (target instanceof HTMLInputElement && part === 'title') target.select()
  })
  return (key, part) => {
    wanted.current = { key, part, since: performance.now() }
  }
}
