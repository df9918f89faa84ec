import { type RefObject, useEffect, useRef } from 'react'
import type { FlowEditor } from '../document/flow-editor.ts'

/** Where in the list the focus is. */
interface FocusPlace {
  readonly step: string
  /** Which of the step's controls. */
  readonly part: string
  readonly index: number
}

/**
 * Keeps the focus in the list when steps move or go, whoever does that: a button, a key, undo. It stays where it was, or
 * goes to the step that took the place, or to the list itself when there is none.
 */
export function useKeptFocus(editor: FlowEditor, list: RefObject<HTMLElement | null>): void {
  const before = useRef<FocusPlace>(undefined)
  // The editor tells of a change before it is drawn: the focus is still where it was.
  useEffect(
    () =>
      editor.subscribe(() => {
        before.current = placeOfFocus(list.current)
      }),
    [editor, list],
  )
  useEffect(() => {
    const place = before.current
    before.current = undefined
    if (place === undefined || list.current === null || list.current.contains(document.activeElement)) return
    // Whoever asked for a field in the form has the focus there.
    if (document.activeElement !== document.body && document.activeElement !== null) return
    const { step, part, index } = place
    const rows = [...list.current.querySelectorAll<HTMLElement>('li[data-step]')]
    const same = rows.find((row) => row.dataset['step'] === step)
    const target =
      same?.querySelector<HTMLElement>(`[data-part="${part}"]`) ??
      (rows[index] ?? rows.at(-1))?.querySelector<HTMLElement>('[data-part="open"]') ??
      list.current
    target.focus()
  })
}

function placeOfFocus(list: HTMLElement | null): FocusPlace | undefined {
  const focused = document.activeElement
  const row = focused?.closest<HTMLElement>('li[data-step]')
  if (!(focused instanceof HTMLElement) || row === null || row === undefined) return undefined
  if (list?.contains(row) !== true) return undefined
  const rows = [...list.querySelectorAll('li[data-step]')]
  return {
    step: row.dataset['step'] ?? '',
    part: focused.dataset['part'] ?? 'open',
    index: rows.indexOf(row),
  }
}
