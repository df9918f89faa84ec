import { useEffect, useEffectEvent } from 'react'
import { notify } from '../../../shell/notify.ts'
import { readDrawnId } from '../canvas/drawn-id.ts'
import { copySteps, movedAside, readSteps, writeSteps } from '../clipboard/copied-steps.ts'
import { pasteSteps } from '../document/edits.ts'
import type { Scope } from '../document/scopes.ts'
import { createStepActions } from '../list/step-actions.ts'
import { enterScope, leaveScope } from '../scope-ways.ts'
import type { Editing } from '../use-flow-editor.ts'
import { redoAndTell, undoAndTell } from './back-and-forth.ts'

/**
 * The shortcuts and the clipboard of the editor. Save and test run press the buttons `[data-save]` and `[data-try]`.
 */
export function useEditorKeys(editing: Editing): void {
  useStepClipboard(editing)
  const onKeyDown = useEffectEvent((press: KeyboardEvent) => {
    if (press.defaultPrevented || press.isComposing) return
    const action = keyActionOf(press, placeOf(press.target))
    if (action === undefined) return
    const { selected, scope } = editing.editor.read()
    const meant = stepsMeant(press.target, selected)
    if (isAboutNothing(action, { meant, selected, scope })) return
    press.preventDefault()
    // A held key repeats undo and redo; all other actions run once.
    if (press.repeat && action !== 'undo' && action !== 'redo') return
    run(action, meant, editing)
  })
  useEffect(() => {
    const listen = (press: KeyboardEvent) => onKeyDown(press)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

interface Subject {
  readonly meant: readonly string[]
  readonly selected: readonly string[]
  readonly scope: Scope
}

/** Whether an action has no effect, so that the key keeps its own meaning. */
function isAboutNothing(action: KeyAction, { meant, selected, scope }: Subject): boolean {
  if (action === 'deselect') return selected.length === 0 && scope === null
  const needsSteps = action === 'duplicate' || action === 'remove' || action === 'openSteps'
  return needsSteps && meant.length === 0
}

function run(action: KeyAction, meant: readonly string[], editing: Editing): void {
  const { editor, announce } = editing
  if (action === 'undo') undoAndTell(editing)
  else if (action === 'redo') redoAndTell(editing)
  else if (action === 'save') pushButton('[data-save]')
  else if (action === 'try') pushButton('[data-try]')
  else if (action === 'duplicate') createStepActions(editing).duplicate(meant)
  else if (action === 'remove') createStepActions(editing).remove(meant)
  else if (action === 'openSteps') enterScope(editing, meant[0] ?? '')
  else if (action === 'deselect' && editor.read().selected.length === 0) leaveScope(editing)
  else if (action === 'deselect') editor.select([])
  else {
    const ids = editor.read().steps.map(({ id }) => id)
    editor.select(ids)
    announce(ids.length === 1 ? '1 step is selected.' : `${ids.length} steps are selected.`)
  }
}

function pushButton(button: string): void {
  const target = document.querySelector<HTMLElement>(button)
  // Moving the focus to the button applies the text of the focused field.
  target?.focus()
  target?.click()
}

/** Copies, cuts and pastes steps outside of text fields. Clipboard events need no permission. */
function useStepClipboard(editing: Editing): void {
  const { editor, announce } = editing

  const stepsToCopy = (event: Event): readonly string[] => {
    const isTextSelected = document.getSelection()?.isCollapsed === false
    return isOurs(event) && !isTextSelected ? stepsMeant(event.target, editor.read().selected) : []
  }
  // Some browsers enable Copy without a text selection only when `beforecopy` is prevented.
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
    const { document: present, scope: within } = editor.read()
    const { document: changed, pasted } = pasteSteps(present, steps, { places: movedAside(places), within })
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

/** Whether a clipboard event is about steps and not about text. */
function isOurs({ target, defaultPrevented }: Event): boolean {
  const place = placeOf(target)
  return !defaultPrevented && (place === 'flow' || place === 'control')
}

/** Input types without text. */
const withoutText = new Set(['button', 'checkbox', 'radio', 'range', 'color', 'file', 'submit', 'reset'])

/** The place of a key press or clipboard event. */
function placeOf(target: EventTarget | null): KeyPlace {
  if (!(target instanceof Element) || target === document.body || target === document.documentElement) {
    return 'flow'
  }
  if (target.closest('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null) return 'dialog'
  if (target.closest('[data-own-undo]') !== null) return 'own'
  if (isText(target)) return 'field'
  return target.closest('[data-step], [data-canvas]') === null ? 'control' : 'flow'
}

function isText(target: Element): boolean {
  if (target instanceof HTMLInputElement) return !withoutText.has(target.type)
  if (target instanceof HTMLElement && target.isContentEditable) return true
  return target.closest('textarea, select, [role="combobox"], [role="listbox"]') !== null
}

/** The steps an action applies to: the selection, or the focused step when it is not selected. */
function stepsMeant(target: EventTarget | null, selected: readonly string[]): readonly string[] {
  const id = target instanceof Element ? stepAround(target) : undefined
  return id === undefined || selected.includes(id) ? selected : [id]
}

/** The step around an element, in the list or on the canvas. */
function stepAround(target: Element): string | undefined {
  const shown = target.closest<HTMLElement>('li[data-step], .react-flow__node')
  const drawn = shown?.dataset['id']
  return drawn === undefined ? shown?.dataset['step'] : readDrawnId(drawn)
}

type KeyAction =
  | 'undo'
  | 'redo'
  | 'save'
  | 'try'
  | 'selectAll'
  | 'duplicate'
  | 'remove'
  | 'deselect'
  | 'openSteps'

/**
 * The place of the focus, which decides the enabled shortcuts.
 *
 * | place   | focused element                              | undo, redo | save, try | select all, duplicate, Escape | Delete, Shift+Enter |
 * |---------|----------------------------------------------|------------|-----------|-------------------------------|--------|
 * | flow    | a step of the flow, or no element            | yes        | yes       | yes                           | yes    |
 * | control | a button or a switch beside the flow         | yes        | yes       | yes                           | no     |
 * | field   | a text field or editor                       | yes        | yes       | no                            | no     |
 * | own     | a text with a separate undo history          | no         | yes       | no                            | no     |
 * | dialog  | a dialog or a menu, which keeps all its keys | no         | no        | no                            | no     |
 */
type KeyPlace = 'flow' | 'control' | 'field' | 'own' | 'dialog'

const wherever: Readonly<Record<KeyAction, readonly KeyPlace[]>> = {
  undo: ['flow', 'control', 'field'],
  redo: ['flow', 'control', 'field'],
  save: ['flow', 'control', 'field', 'own'],
  try: ['flow', 'control', 'field', 'own'],
  selectAll: ['flow', 'control'],
  duplicate: ['flow', 'control'],
  deselect: ['flow', 'control'],
  remove: ['flow'],
  openSteps: ['flow'],
}

interface Press {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** The action of a key press at a place; undefined for keys the editor does not handle. */
export function keyActionOf(press: Press, place: KeyPlace): KeyAction | undefined {
  const action = meantBy(press)
  return action !== undefined && wherever[action].includes(place) ? action : undefined
}

function meantBy({ key, ctrlKey, metaKey, altKey, shiftKey }: Press): KeyAction | undefined {
  if (altKey) return undefined
  if (ctrlKey || metaKey) return withModifier(key.toLowerCase(), shiftKey)
  if (shiftKey) return key === 'Enter' ? 'openSteps' : undefined
  if (key === 'Escape') return 'deselect'
  return key === 'Delete' || key === 'Backspace' ? 'remove' : undefined
}

function withModifier(key: string, shiftKey: boolean): KeyAction | undefined {
  if (key === 'z') return shiftKey ? 'redo' : 'undo'
  if (shiftKey) return undefined
  const actions: ReadonlyMap<string, KeyAction> = new Map([
    ['y', 'redo'],
    ['s', 'save'],
    ['enter', 'try'],
    ['a', 'selectAll'],
    ['d', 'duplicate'],
  ])
  return actions.get(key)
}
