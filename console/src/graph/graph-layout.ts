import { graphlib, layout } from '@dagrejs/dagre'

/** An edge from one step to another. */
export interface DrawnEdge {
  readonly from: string
  readonly to: string
  readonly kind: 'needs' | 'chooses' | 'before'
  readonly label: string | null
  /** Whether the run took this edge; absent in a flow that has not run. */
  readonly taken?: boolean | null
}

export interface Place {
  readonly x: number
  readonly y: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

export const nodeSize: Size = { width: 208, height: 56 }

/** Computes the position of each step from edges and sizes alone, so that the same flow always looks the same. */
export function layOut(
  steps: readonly { readonly step_id: string; readonly size?: Size | undefined }[],
  edges: readonly Pick<DrawnEdge, 'from' | 'to'>[],
): ReadonlyMap<string, Place> {
  const graph = new graphlib.Graph()
  graph.setGraph({ rankdir: 'TB', nodesep: 32, ranksep: 48 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { step_id, size = nodeSize } of steps) graph.setNode(step_id, { ...size })
  for (const { from, to } of edges) graph.setEdge(from, to)
  layout(graph)
  return new Map(
    steps.map(({ step_id, size = nodeSize }) => {
      const { x, y } = graph.node(step_id)
      return [step_id, { x: x - size.width / 2, y: y - size.height / 2 }]
    }),
  )
}

/** Edges between the same two steps become one, with all their labels. */
export function joinEdges(edges: readonly DrawnEdge[]): readonly JoinedEdge[] {
  const byEnds = Map.groupBy(edges, ({ from, to }) => `${from} ${to}`)
  return [...byEnds].map(([id, same]) => ({
    id,
    from: same[0]?.from ?? '',
    to: same[0]?.to ?? '',
    label: shorten(same.flatMap(({ label }) => label ?? []).join(' or ')),
    // The joined edge is taken when one of its edges was; it is not taken when a choice was made and chose none of them.
    taken: same.some(({ taken, kind }) => taken === true || kind === 'needs')
      ? true
      : same.some(({ taken }) => taken === false)
        ? false
        : null,
  }))
}

export interface JoinedEdge {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly label: string
  readonly taken: boolean | null
}

const maxCharacters = 32

/** Shortens a label that would cover its neighbours; the list of steps shows it in full. */
export function shorten(label: string): string {
  return label.length <= maxCharacters ? label : `${label.slice(0, maxCharacters - 1).trimEnd()}…`
}
