import { beginHistory, type Change, record, redo, undo } from '../../../editing/history.ts'
import {
  type DraftDefinition,
  type DraftStep,
  type FlowDocument,
  isSameDocument,
  stepIn,
} from './flow-document.ts'
import { placeOfStep, type Scope, scopeOf, scopeOfChange, stepAtPath, stepsOf } from './scopes.ts'
import { isContainer } from './step-kinds.ts'

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
  /** The open scope: the ID of a container, or null for the flow itself. */
  readonly scope: Scope
  /** The steps of the open scope. */
  readonly steps: readonly DraftStep[]
  /**
   * The IDs of the selected steps, in selection order; empty: the scope itself. They are in the open scope, or in
   * containers there.
   */
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
  /** Selects steps. Their scope opens when the open one does not have them. */
  readonly select: (ids: readonly string[]) => void
  /** Opens a scope; that of the flow where the container does not exist. */
  readonly open: (scope: Scope) => void
  /** Opens the field of a path, or its line while the flow is shown as code. */
  readonly ask: (path: string) => void
  /** Opens a field of a step; without a field, its first one. */
  readonly askStep: (id: string, field?: string) => void
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
  let scope: Scope = null
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
      scope,
      steps: stepsOf(present, scope),
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
    const before = history.present
    history = next
    scope = scopeAfter(scope, before, next.present)
    selected = selected.filter((id) => isWithin(next.present, id, scope))
    tell()
  }

  /** Opens the scope of a change that the open one does not show. */
  function goToChange(next: typeof history): void {
    const before = history.present
    const changed = scopeOfChange(before, next.present)
    const isShown = stepsOf(before, scope) !== stepsOf(next.present, scope)
    if (changed !== undefined && !isShown) scope = changed
    goTo(next)
  }

  function choose(ids: readonly string[]): void {
    const [first] = ids
    if (first !== undefined && !isWithin(history.present, first, scope)) {
      scope = scopeOf(history.present, first)
    }
    selected = ids.filter((id) => isWithin(history.present, id, scope))
  }

  function ask(path: string): void {
    // The code does not contain the metadata.
    if (isCode && !/^metadata\b/.test(path)) askedInCode = { path, count: (askedInCode?.count ?? 0) + 1 }
    else asked = { path, count: (asked?.count ?? 0) + 1 }
    const at = stepAtPath(history.present, path)
    // The form of the flow is shown in its own scope only.
    if (at === undefined) scope = null
    choose(at === undefined ? [] : [at.step.id])
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
      choose(ids)
      tell()
    },
    open(wanted) {
      const step = wanted === null ? undefined : stepIn(history.present, wanted)
      const found = step !== undefined && isContainer(step) ? step.id : null
      if (found === scope) return
      scope = found
      selected = selected.filter((id) => isWithin(history.present, id, scope))
      tell()
    },
    ask,
    askStep(id, field = 'label') {
      const place = placeOfStep(history.present, id)
      if (place !== undefined) ask(`${place.path}.${field}`)
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
      if (what !== undefined) goToChange(undo(history))
      return what
    },
    redo() {
      const what = history.future[0]?.what
      if (what !== undefined) goToChange(redo(history))
      return what
    },
    saved(document) {
      kept = document
      tell()
    },
  }
}

/** Whether a step is in a scope, or in a container there. */
function isWithin(document: FlowDocument, id: string, scope: Scope): boolean {
  const place = placeOfStep(document, id)
  return place !== undefined && (scope === null || place.around.some((container) => container.id === scope))
}

/**
 * The open scope after a change. A container that was only renamed stays open: it is found by its position. The next
 * container around a removed one opens.
 */
function scopeAfter(scope: Scope, before: FlowDocument, after: FlowDocument): Scope {
  if (scope === null) return null
  const now = stepIn(after, scope)
  if (now !== undefined && isContainer(now)) return scope
  const place = placeOfStep(before, scope)
  if (place === undefined) return null
  const outer = scopeAfter(place.around.at(-1)?.id ?? null, before, after)
  const beside = stepsOf(after, outer)
  const same = beside.length === place.beside.length ? beside[place.index] : undefined
  const isRenamed = same !== undefined && isContainer(same) && stepIn(before, same.id) === undefined
  return isRenamed ? same.id : outer
}
