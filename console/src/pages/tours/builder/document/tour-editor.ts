import {
  beginHistory,
  type Change,
  type History,
  record,
  redo,
  rewrite,
  undo,
} from '../../../../editing/history.ts'
import { type CallOutcome, createAutosave, type Refusal, type SaveState } from './autosave.ts'
import { type Clash, mergeDocuments, type Side } from './merge-documents.ts'
import type { SaveCall } from './next-call.ts'
import { type KeptTour, type SavedTour, savedAsRead } from './saved-tour.ts'
import { isSameDocument, type TourDocument } from './tour-document.ts'

export interface EditorState {
  readonly document: TourDocument
  readonly saved: SavedTour
  readonly save: SaveState
  readonly refusals: ReadonlyMap<string, Refusal>
  /** The name of the change that undo would revert; undefined without one. */
  readonly undoes: string | undefined
  readonly redoes: string | undefined
  /** The conflicting changes, until the user decides. */
  readonly clashes: readonly Clash[]
  /** The other user, after both versions were merged automatically. */
  readonly mergedWith: { readonly name: string | null } | undefined
}

/** The editor of one tour: every change can be undone, and is saved automatically. */
export interface TourEditor {
  readonly read: () => EditorState
  readonly subscribe: (onChange: () => void) => () => void
  readonly change: (change: Change, edit: (document: TourDocument) => TourDocument) => void
  /** Undoes the last change and returns its name; undefined without one. */
  readonly undo: () => string | undefined
  readonly redo: () => string | undefined
  /** Decides a conflict. The other side stays one undo away. */
  readonly decide: (side: Side) => void
  readonly hurry: () => void
  /** Creates a key for a step that the platform has not stored yet. */
  readonly newKey: () => string
  /** Resolves when saving has ended; false when a change could not be saved. */
  readonly settled: () => Promise<boolean>
  /** Called when the window is about to close, or another page opens. */
  readonly rest: () => void
}

interface EditorOptions {
  readonly tour: KeptTour
  readonly send: (call: SaveCall, revision: number) => Promise<CallOutcome>
  readonly now?: () => number
}

export function createTourEditor({ tour, send, now = Date.now }: EditorOptions): TourEditor {
  const saved = savedAsRead(tour)
  const listeners = new Set<() => void>()
  let history: History<TourDocument> = beginHistory(saved.sent)
  let clashes: readonly Clash[] = []
  let mergedWith: EditorState['mergedWith']
  let newKeys = 0

  const autosave = createAutosave({
    saved,
    send,
    onChange: () => {
      bringTogether()
      tell()
    },
  })
  let state = look()

  function look(): EditorState {
    const { state: save, ...rest } = autosave.read()
    return {
      ...rest,
      save,
      document: history.present,
      undoes: history.past.at(-1)?.what,
      redoes: history.future[0]?.what,
      clashes,
      mergedWith,
    }
  }

  function tell(): void {
    state = look()
    for (const listener of listeners) listener()
  }

  function goTo(next: History<TourDocument>): void {
    history = next
    mergedWith = undefined
    autosave.want(history.present)
    bringTogether()
    tell()
  }

  /** Merges another user's changes automatically unless they clash with changes of this window. */
  function bringTogether(): void {
    findClashes()
    const { state: save } = autosave.read()
    if (save.name !== 'conflict' || clashes.length > 0) return
    const before = history.present
    takeIn(save.theirs, 'mine')
    // A lost response makes the editor's own change look like another user's.
    if (!isSameDocument(before, history.present)) mergedWith = { name: save.changedBy }
  }

  function findClashes(): void {
    const { state: save, saved: base } = autosave.read()
    clashes =
      save.name === 'conflict' ? mergeDocuments(base, history.present, save.theirs.kept, 'mine').clashes : []
  }

  /** Merges another user's changes into every entry of the history, so that undo reverts only changes of this window. */
  function takeIn(theirs: SavedTour, side: Side): void {
    const { saved: base } = autosave.read()
    const merge = (document: TourDocument) => mergeDocuments(base, document, theirs.kept, side).document
    history = rewrite(history, merge, isSameDocument)
    clashes = []
    autosave.goOnFrom(theirs, history.present)
  }

  return {
    read: () => state,
    subscribe(onChange) {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    change: (change, edit) =>
      goTo(record(history, edit(history.present), { ...change, at: now(), isSame: isSameDocument })),
    undo() {
      const what = history.past.at(-1)?.what
      if (what !== undefined) goTo(undo(history))
      return what
    },
    redo() {
      const what = history.future[0]?.what
      if (what !== undefined) goTo(redo(history))
      return what
    },
    decide(side) {
      const { state: save, saved: base } = autosave.read()
      if (save.name !== 'conflict') return
      const other: Side = side === 'mine' ? 'theirs' : 'mine'
      const refused = mergeDocuments(base, history.present, save.theirs.kept, other).document
      takeIn(save.theirs, side)
      const chosen = history.present
      history = record({ ...history, present: refused }, chosen, {
        what: 'the decision between both',
        at: now(),
        isSame: isSameDocument,
      })
      tell()
    },
    hurry: autosave.hurry,
    newKey: () => `~${(newKeys += 1)}`,
    settled() {
      autosave.hurry()
      return new Promise((resolve) => {
        const check = () => {
          const { name } = autosave.read().state
          if (name === 'waiting' || name === 'saving') return
          listeners.delete(check)
          resolve(name === 'saved')
        }
        listeners.add(check)
        check()
      })
    },
    rest: autosave.rest,
  }
}
