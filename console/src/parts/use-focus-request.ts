import { type RefObject, useEffect, useRef } from 'react'

/** Moves the focus to an element inside, once the change is rendered. */
export function useFocusRequest(root: RefObject<HTMLElement | null>): (selector: string) => void {
  const requested = useRef<string>(undefined)
  useEffect(() => {
    if (requested.current === undefined) return
    const found = root.current?.querySelector<HTMLElement>(requested.current)
    requested.current = undefined
    found?.focus()
  })
  return (selector) => {
    requested.current = selector
  }
}

/** The elements that take input. */
export const fillable = ':is(input:not([type="hidden"]), select, textarea, [contenteditable="true"])'

/** The focusable elements of a field. */
export const focusable = `:is(${fillable}, summary, button:not([disabled]))`
