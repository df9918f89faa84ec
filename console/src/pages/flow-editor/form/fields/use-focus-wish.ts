import { type RefObject, useEffect, useRef } from 'react'

/** Moves the focus to a place inside once what was just done is shown. */
export function useFocusWish(root: RefObject<HTMLElement | null>): (selector: string) => void {
  const wish = useRef<string>(undefined)
  useEffect(() => {
    if (wish.current === undefined) return
    const found = root.current?.querySelector<HTMLElement>(wish.current)
    wish.current = undefined
    found?.focus()
  })
  return (selector) => {
    wish.current = selector
  }
}

/** What somebody types into or chooses from. */
export const fillable = ':is(input:not([type="hidden"]), select, textarea, [contenteditable="true"])'

/** Everything in a field that can have the focus. */
export const focusable = `:is(${fillable}, summary, button:not([disabled]))`
