import { useEffect, useEffectEvent } from 'react'
import { useStepClipboard } from '../clipboard/use-step-clipboard.ts'
import { createStepActions } from '../list/step-actions.ts'
import type { Editing } from '../use-flow-editor.ts'
import { redoAndTell, undoAndTell } from './back-and-forth.ts'
import { type KeyAction, keyActionOf } from './key-action.ts'
import { placeOf, stepsMeant } from './key-place.ts'

/** Keys of the whole editor, and its clipboard. Saving and trying press the buttons `[data-save]` and `[data-try]`. */
export function useEditorKeys(editing: Editing): void {
  useStepClipboard(editing)
  const onKeyDown = useEffectEvent((press: KeyboardEvent) => {
    if (press.defaultPrevented || press.isComposing) return
    const action = keyActionOf(press, placeOf(press.target))
    if (action === undefined) return
    const meant = stepsMeant(press.target, editing.editor.read().selected)
    const isAboutNothing = action === 'deselect' || action === 'duplicate' || action === 'remove'
    if (isAboutNothing && meant.length === 0) return
    press.preventDefault()
    // A key that is held down goes on undoing, but saves and copies once.
    if (press.repeat && action !== 'undo' && action !== 'redo') return
    run(action, meant, editing)
  })
  useEffect(() => {
    const listen = (press: KeyboardEvent) => onKeyDown(press)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

function run(action: KeyAction, meant: readonly string[], editing: Editing): void {
  const { editor, announce } = editing
  if (action === 'undo') undoAndTell(editing)
  else if (action === 'redo') redoAndTell(editing)
  else if (action === 'save') pushButton('[data-save]')
  else if (action === 'try') pushButton('[data-try]')
  else if (action === 'duplicate') createStepActions(editing).duplicate(meant)
  else if (action === 'remove') createStepActions(editing).remove(meant)
  else if (action === 'deselect') editor.select([])
  else {
    const ids = editor.read().document.definition.steps.map(({ id }) => id)
    editor.select(ids)
    announce(ids.length === 1 ? '1 step is selected.' : `${ids.length} steps are selected.`)
  }
}

function pushButton(button: string): void {
  const target = document.querySelector<HTMLElement>(button)
  // What is being written counts when it leaves its field.
  target?.focus()
  target?.click()
}
