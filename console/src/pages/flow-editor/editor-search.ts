import { readText } from '../../parts/read-search.ts'

const views = ['canvas', 'list', 'code'] as const

export type EditorView = (typeof views)[number]

export interface EditorSearch {
  view?: EditorView
}

/** Reads the search parameters; invalid ones are dropped. */
export function readEditorSearch(address: Record<string, unknown>): EditorSearch {
  const view = views.find((name) => name === address['view'] && name !== 'canvas')
  return view === undefined ? {} : { view }
}

/** A new flow may start as a copy of another. */
export interface NewFlowSearch extends EditorSearch {
  from?: string
}

export function readNewFlowSearch(address: Record<string, unknown>): NewFlowSearch {
  const from = readText(address['from'])
  return { ...readEditorSearch(address), ...(from === undefined ? {} : { from }) }
}
