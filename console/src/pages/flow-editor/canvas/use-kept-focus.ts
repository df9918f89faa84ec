import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'
import type { DraftStep } from '../document/flow-document.ts'
import { drawnId, readDrawnId } from './drawn-id.ts'

/** Keeps the focus on the canvas when the step that had it goes, so that the keys go on from there. */
export function useKeptFocus(surface: RefObject<HTMLElement | null>, steps: readonly DraftStep[]) {
  const had = useRef<string | null>(null)
  useEffect(() => {
    const id = had.current
    if (id === null || steps.some((step) => step.id === id)) return
    had.current = null
    const { activeElement } = document
    // What was drawn of it goes a moment later.
    const isStillThere = activeElement?.closest('.react-flow__node')?.getAttribute('data-id') === drawnId(id)
    if (activeElement === document.body || isStillThere) surface.current?.focus()
  }, [steps, surface])
  return ({ target }: FocusEvent): void => {
    const name = target.closest('.react-flow__node')?.getAttribute('data-id') ?? null
    had.current = name === null ? null : readDrawnId(name)
  }
}
