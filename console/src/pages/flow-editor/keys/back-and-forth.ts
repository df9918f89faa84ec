import type { Editing } from '../use-flow-editor.ts'

/** Takes the last change back, and says which. */
export function undoAndTell({ editor, announce }: Pick<Editing, 'editor' | 'announce'>): void {
  const what = editor.undo()
  announce(what === undefined ? 'Nothing to undo.' : `Undone: ${what}.`)
}

/** Does again what was taken back, and says what. */
export function redoAndTell({ editor, announce }: Pick<Editing, 'editor' | 'announce'>): void {
  const what = editor.redo()
  announce(what === undefined ? 'Nothing to redo.' : `Redone: ${what}.`)
}
