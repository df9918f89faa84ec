import { type RefObject, useEffect, useRef } from 'react'

/** Moves the focus to a place inside once what was just done is shown. */
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

/** What the user types into or chooses from. */
export const fillable = ':is(input:not([type="hidden"]), select, textarea, [contenteditable="true"])'

/** Everything in a field that can have the focus. */
export const focusable = `:is(${fillable}, summary, button:not([disabled]))`
