import { beginHistory, type Change, record, redo, undo } from '../../../editing/history.ts'
import { type DraftDefinition, type FlowDocument, isSameDocument, stepIn } from './flow-document.ts'

interface Asked {
  readonly path: string
  readonly count: number
}

export interface UnreadCode {
  readonly text: string
  /** The syntax error and its line. */
  readonly problem: string
  /** The flow the text was typed over, so that a change in another view is detected. */
  readonly over: DraftDefinition
}

/** The state of the flow editor, shared by all views. */
export interface EditorState {
  readonly document: FlowDocument
  /** The IDs of the selected steps, in selection order; empty: the flow itself. */
  readonly selected: readonly string[]
  /** The path whose field requests the focus, such as `steps[2].prompt`; the count makes repeated requests distinct. */
  readonly asked: Asked | null
  /** The requested path while the flow is shown as code. */
  readonly askedInCode: Asked | null
  /** Typed code that is not valid yet; the document is the last valid one. */
  readonly unread: UnreadCode | null
  /** The description of the change that undo reverts; undefined without one. */
  readonly undoes: string | undefined
  readonly redoes: string | undefined
  /** Whether there are unsaved changes. */
  readonly isChanged: boolean
}

/** The editor of one flow; every change can be undone. */
export interface FlowEditor {
  readonly read: () => EditorState
  readonly subscribe: (onChange: () => void) => () => void
  readonly change: (change: Change, edit: (document: FlowDocument) => FlowDocument) => void
  readonly select: (ids: readonly string[]) => void
  /** Opens the field of a path, or its line while the flow is shown as code. */
  readonly ask: (path: string) => void
  /** Marks the flow as shown as code, until the returned function is called. */
  readonly showCode: () => () => void
  /** Keeps invalid code, so that the code view can show it again. */
  readonly keepUnread: (unread: UnreadCode | null) => void
  /** Returns the description of the undone change, if any. */
  readonly undo: () => string | undefined
  readonly redo: () => string | undefined
  /** Marks a document as saved. */
  readonly saved: (document: FlowDocument) => void
}

interface EditorOptions {
  /** The saved flow; unsaved changes are relative to it. */
  readonly saved: FlowDocument
  /** The initial document, when it differs from the saved one. */
  readonly draft?: FlowDocument | undefined
  readonly now?: () => number
}

export function createFlowEditor({ saved, draft, now = Date.now }: EditorOptions): FlowEditor {
  const listeners = new Set<() => void>()
  let kept = saved
  let history = beginHistory(saved)
  if (draft !== undefined) {
    history = record(history, draft, { what: 'the draft', at: now(), isSame: isSameDocument })
  }
  let selected: readonly string[] = []
  let asked: Asked | null = null
  let askedInCode: Asked | null = null
  let unread: UnreadCode | null = null
  let isCode = false
  let state = look()

  function look(): EditorState {
    const { present, past, future } = history
    return {
      document: present,
      selected,
      asked,
      askedInCode,
      unread,
      undoes: past.at(-1)?.what,
      redoes: future[0]?.what,
      isChanged: unread !== null || !isSameDocument(present, kept),
    }
  }

  function goTo(next: typeof history): void {
    history = next
    selected = selected.filter((id) => stepIn(history.present, id) !== undefined)
    tell()
  }

  function tell(): void {
    state = look()
    for (const listener of listeners) listener()
  }

  return {
    read: () => state,
    subscribe(onChange) {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    change: (change, edit) =>
      goTo(record(history, edit(history.present), { ...change, at: now(), isSame: isSameDocument })),
    select(ids) {
      if (ids.length === selected.length && ids.every((id, index) => id === selected[index])) return
      selected = ids
      tell()
    },
    ask(path) {
      // The code does not contain the metadata.
      if (isCode && !/^metadata\b/.test(path)) askedInCode = { path, count: (askedInCode?.count ?? 0) + 1 }
      else asked = { path, count: (asked?.count ?? 0) + 1 }
      const index = /^steps\[(\d+)\]/.exec(path)?.[1]
      const step = index === undefined ? undefined : history.present.definition.steps[Number(index)]
      selected = step === undefined ? [] : [step.id]
      tell()
    },
    showCode() {
      isCode = true
      return () => {
        isCode = false
      }
    },
    keepUnread(code) {
      if (code?.text === unread?.text) return
      unread = code
      tell()
    },
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
    saved(document) {
      kept = document
      tell()
    },
  }
}
