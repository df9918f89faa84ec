import { createContext } from 'react'
import type { DraftEdge } from '../document/edges.ts'

/** The actions of nodes and edges. */
interface CanvasActions {
  readonly addAfter: (id: string, opener: HTMLElement) => void
  readonly removeEdge: (edge: DraftEdge) => void
  /** Opens the steps of a container. */
  readonly open: (id: string) => void
  /** Switches an edge of an option between "continues with" and "adds". */
  readonly switchRole: (edge: DraftEdge) => void
}

export const CanvasActionsContext = createContext<CanvasActions | null>(null)
