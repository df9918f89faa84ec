/** What a key does in the editor. */
export type KeyAction = 'undo' | 'redo' | 'save' | 'try' | 'selectAll' | 'duplicate' | 'remove' | 'deselect'

/**
 * Where the focus is, and what keys do there.
 *
 * | place   | what it is                                   | undo, redo | save, try | select all, duplicate, Escape | Delete |
 * |---------|----------------------------------------------|------------|-----------|-------------------------------|--------|
 * | flow    | a step of the flow, or nothing at all        | yes        | yes       | yes                           | yes    |
 * | control | a button or a switch beside the flow         | yes        | yes       | yes                           | no     |
 * | field   | a text somebody writes                       | yes        | yes       | no                            | no     |
 * | own     | a text with an undo of its own               | no         | yes       | no                            | no     |
 * | dialog  | a dialog or a menu: all keys are its own     | no         | no        | no                            | no     |
 */
export type KeyPlace = 'flow' | 'control' | 'field' | 'own' | 'dialog'

const wherever: Readonly<Record<KeyAction, readonly KeyPlace[]>> = {
  undo: ['flow', 'control', 'field'],
  redo: ['flow', 'control', 'field'],
  save: ['flow', 'control', 'field', 'own'],
  try: ['flow', 'control', 'field', 'own'],
  selectAll: ['flow', 'control'],
  duplicate: ['flow', 'control'],
  deselect: ['flow', 'control'],
  remove: ['flow'],
}

interface Press {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** What a key press asks for at a place; undefined when it is nothing of the editor's. */
export function keyActionOf(press: Press, place: KeyPlace): KeyAction | undefined {
  const action = meantBy(press)
  return action !== undefined && wherever[action].includes(place) ? action : undefined
}

function meantBy({ key, ctrlKey, metaKey, altKey, shiftKey }: Press): KeyAction | undefined {
  if (altKey) return undefined
  if (ctrlKey || metaKey) return withModifier(key.toLowerCase(), shiftKey)
  if (shiftKey) return undefined
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
