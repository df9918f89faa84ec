import { beginHistory, type Change, record, redo, undo } from '../../../editing/history.ts'
import { type DraftDefinition, type FlowDocument, isSameDocument, stepIn } from './flow-document.ts'

interface Asked {
  readonly path: string
  readonly count: number
}

export interface UnreadCode {
  readonly text: string
  /** What is wrong with it, and in which line. */
  readonly problem: string
  /** The flow that it was typed over, so that a change elsewhere is noticed. */
  readonly over: DraftDefinition
}

/** The content of the side panel. */
export interface EditorState {
  readonly document: FlowDocument
  /** Ids of steps, in the order they were selected; none: the flow itself. */
  readonly selected: readonly string[]
  /** A place in the definition whose field shall have the focus, such as `steps[2].prompt`; counts so that the same can be asked for again. */
  readonly asked: Asked | null
  /** The same while the flow is shown as code: what shall be seen there. */
  readonly askedInCode: Asked | null
  /** What was typed as code and is no flow yet; the document is the last one that was. */
  readonly unread: UnreadCode | null
  /** What undo would take back; undefined when there is nothing. */
  readonly undoes: string | undefined
  readonly redoes: string | undefined
  /** Whether there is anything that was not saved. */
  readonly isChanged: boolean
}

/** A flow in the hands of one person: every change can be taken back. */
export interface FlowEditor {
  readonly read: () => EditorState
  readonly subscribe: (onChange: () => void) => () => void
  readonly change: (change: Change, edit: (document: FlowDocument) => FlowDocument) => void
  readonly select: (ids: readonly string[]) => void
  /** Opens the field at a place of the definition, or the line of it while the flow is shown as code. */
  readonly ask: (path: string) => void
  /** Says that the flow is shown as code, until what it gives is called. */
  readonly showCode: () => () => void
  /** Keeps code that cannot be read, so that it is there again when code is shown again. */
  readonly keepUnread: (unread: UnreadCode | null) => void
  /** Says what was taken back, if anything was. */
  readonly undo: () => string | undefined
  readonly redo: () => string | undefined
  /** What is in the editor is what was saved. */
  readonly saved: (document: FlowDocument) => void
}

interface EditorOptions {
  /** What the platform has; changes are counted from it. */
  readonly saved: FlowDocument
  /** Where to go on, when that is something else. */
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
      // The code has no metadata in it.
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
