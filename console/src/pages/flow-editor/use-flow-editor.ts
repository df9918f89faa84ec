import { createContext, useContext, useSyncExternalStore } from 'react'
import type { EditorState, FlowEditor } from './document/flow-editor.ts'
import type { JsonObject } from './document/json.ts'
import type { FlowProblem } from './problems/problem.ts'
import type { TryRun } from './try/try-run.ts'

/** The context of all editor parts. */
export interface Editing {
  readonly editor: FlowEditor
  readonly problems: readonly FlowProblem[]
  /** The required paths of the execution context, as far as the server knows them. */
  readonly requiredInputs: readonly string[]
  /** The sample input; null while it is not a JSON object. */
  readonly sample: JsonObject | null
  readonly tried: TryRun | null
  /** Announces a text to screen readers. */
  readonly announce: (text: string) => void
}

export const EditingContext = createContext<Editing | null>(null)

export function useEditing(): Editing & { readonly state: EditorState } {
  const editing = useContext(EditingContext)
  if (editing === null) throw new Error('outside the editor')
  const { editor } = editing
  return { ...editing, state: useSyncExternalStore(editor.subscribe, editor.read) }
}
