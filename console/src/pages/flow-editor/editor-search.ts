import { readText } from '../../parts/read-search.ts'

const views = ['canvas', 'list', 'code'] as const

export type EditorView = (typeof views)[number]

export interface EditorSearch {
  view?: EditorView | undefined
  /** The container whose steps are open. */
  in?: string | undefined
  /** The step that is selected when the editor opens: its ID, or its step path in an execution. */
  step?: string | undefined
}

/** Reads the search parameters; invalid ones are dropped. */
export function readEditorSearch(address: Record<string, unknown>): EditorSearch {
  const view = views.find((name) => name === address['view'] && name !== 'canvas')
  const scope = readText(address['in'])
  const step = readText(address['step'])
  return {
    ...(view === undefined ? {} : { view }),
    ...(scope === undefined ? {} : { in: scope }),
    ...(step === undefined ? {} : { step }),
  }
}

/** A new flow may start as a copy of another. */
export interface NewFlowSearch extends EditorSearch {
  from?: string
}

export function readNewFlowSearch(address: Record<string, unknown>): NewFlowSearch {
  const from = readText(address['from'])
  return { ...readEditorSearch(address), ...(from === undefined ? {} : { from }) }
}
