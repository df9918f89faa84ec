import { createContext, use } from 'react'
import type { Json, JsonPath } from '../flow-editor/document/json.ts'
import type { AgentDraft } from './agent-draft.ts'

/** The edited agent, for the fields of the form. */
export interface AgentEditing {
  readonly draft: AgentDraft
  /** Whether the agent is not saved yet, so that its ID can be chosen. */
  readonly isNew: boolean
  /** Sets the value at a path; undefined removes it. */
  readonly set: (path: JsonPath, value: Json | undefined) => void
  /** The problem of the field at a path of the definition, such as `parameters.tone.default`. */
  readonly problemOf: (path: string) => string | undefined
}

export const AgentEditingContext = createContext<AgentEditing | undefined>(undefined)

export function useAgentEditing(): AgentEditing {
  const editing = use(AgentEditingContext)
  if (editing === undefined) throw new Error('the field is outside of the agent editor')
  return editing
}
