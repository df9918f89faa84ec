import { useEffect, useEffectEvent } from 'react'
import { notify } from '../../../shell/notify.ts'
import { pasteSteps } from '../document/edits.ts'
import { placeOf, stepsMeant } from '../keys/key-place.ts'
import { createStepActions } from '../list/step-actions.ts'
import type { Editing } from '../use-flow-editor.ts'
import { copySteps, movedAside, readSteps, writeSteps } from './copied-steps.ts'

/** Copies, cuts and pastes steps wherever no text is meant. The browser's own events need no permission. */
export function useStepClipboard(editing: Editing): void {
  const { editor, announce } = editing

  const stepsToCopy = (event: Event): readonly string[] => {
    const isTextSelected = document.getSelection()?.isCollapsed === false
    return isOurs(event) && !isTextSelected ? stepsMeant(event.target, editor.read().selected) : []
  }
  // Some browsers offer to copy only where text is selected, unless they are told so.
  const onOffer = useEffectEvent((event: Event) => {
    if (stepsToCopy(event).length > 0) event.preventDefault()
  })
  const onCopy = useEffectEvent((event: ClipboardEvent, isCut: boolean) => {
    const ids = stepsToCopy(event)
    if (ids.length === 0 || event.clipboardData === null) return
    event.preventDefault()
    event.clipboardData.setData('text/plain', writeSteps(copySteps(editor.read().document, ids)))
    if (isCut) createStepActions(editing).remove(ids)
    else announce(ids.length === 1 ? '1 step was copied.' : `${ids.length} steps were copied.`)
  })
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (!isOurs(event) || event.clipboardData === null) return
    event.preventDefault()
    const read = readSteps(event.clipboardData.getData('text/plain'))
    if ('problem' in read) {
      void notify({ title: 'Nothing was pasted', message: read.problem })
      return
    }
    const { steps, places } = read
    const { document: changed, pasted } = pasteSteps(editor.read().document, steps, movedAside(places))
    const what = pasted.length === 1 ? '1 step' : `${pasted.length} steps`
    editor.change({ what: `pasting ${what}` }, () => changed)
    editor.select(pasted)
    announce(`${what} ${pasted.length === 1 ? 'was' : 'were'} pasted: ${pasted.join(', ')}.`)
  })

  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    document.addEventListener('beforecopy', (event) => onOffer(event), { signal })
    document.addEventListener('beforecut', (event) => onOffer(event), { signal })
    document.addEventListener('copy', (event) => onCopy(event, false), { signal })
    document.addEventListener('cut', (event) => onCopy(event, true), { signal })
    document.addEventListener('paste', (event) => onPaste(event), { signal })
    return () => listening.abort()
  }, [])
}

/** Whether an event of the clipboard means steps and no text. */
function isOurs({ target, defaultPrevented }: Event): boolean {
  const place = placeOf(target)
  return !defaultPrevented && (place === 'flow' || place === 'control')
}
