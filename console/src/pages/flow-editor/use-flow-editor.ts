import { createContext, useContext, useSyncExternalStore } from 'react'
import type { EditorState, FlowEditor } from './document/flow-editor.ts'
import type { JsonObject } from './document/json.ts'
import type { FlowProblem } from './problems/problem.ts'
import type { TryRun } from './try/try-run.ts'

/** The context of all editor parts. */
export interface Editing {
  readonly editor: FlowEditor
  readonly problems: readonly FlowProblem[]
  /** Paths that the context of an execution must have, as far as the platform could tell. */
  readonly requiredInputs: readonly string[]
  /** What the flow is tried with; null while that is no object in JSON. */
  readonly sample: JsonObject | null
  readonly tried: TryRun | null
  /** Says to who cannot see it what happened. */
  readonly announce: (text: string) => void
}

export const EditingContext = createContext<Editing | null>(null)

export function useEditing(): Editing & { readonly state: EditorState } {
  const editing = useContext(EditingContext)
  if (editing === null) throw new Error('outside the editor')
  const { editor } = editing
  return { ...editing, state: useSyncExternalStore(editor.subscribe, editor.read) }
}
