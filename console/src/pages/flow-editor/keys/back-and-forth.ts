import type { Editing } from '../use-flow-editor.ts'

/** Undoes the last change, and announces it. */
export function undoAndTell({ editor, announce }: Pick<Editing, 'editor' | 'announce'>): void {
  const what = editor.undo()
  announce(what === undefined ? 'Nothing to undo.' : `Undone: ${what}.`)
}

/** Redoes the last undone change, and announces it. */
export function redoAndTell({ editor, announce }: Pick<Editing, 'editor' | 'announce'>): void {
  const what = editor.redo()
  announce(what === undefined ? 'Nothing to redo.' : `Redone: ${what}.`)
}
