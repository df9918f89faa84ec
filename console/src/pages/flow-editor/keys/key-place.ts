import { readDrawnId } from '../canvas/drawn-id.ts'
import type { KeyPlace } from './key-action.ts'

/** Inputs in which nobody writes. */
const withoutText = new Set(['button', 'checkbox', 'radio', 'range', 'color', 'file', 'submit', 'reset'])

/** Where a key press or a clipboard's event happens. */
export function placeOf(target: EventTarget | null): KeyPlace {
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

/** The steps that something is done to: those selected, or the one that has the focus when it is none of them. */
export function stepsMeant(target: EventTarget | null, selected: readonly string[]): readonly string[] {
  const id = target instanceof Element ? stepAround(target) : undefined
  return id === undefined || selected.includes(id) ? selected : [id]
}

/** In the list or on the canvas. */
function stepAround(target: Element): string | undefined {
  const shown = target.closest<HTMLElement>('li[data-step], .react-flow__node')
  const drawn = shown?.dataset['id']
  return drawn === undefined ? shown?.dataset['step'] : readDrawnId(drawn)
}
