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

type LaidOutSteps = readonly { readonly step_id: string; readonly size?: Size | undefined }[]
type LaidOutEdges = readonly Pick<DrawnEdge, 'from' | 'to'>[]

/** Computes the position of each step from edges and sizes alone, so that the same flow always looks the same. */
export function layOut(steps: LaidOutSteps, edges: LaidOutEdges): ReadonlyMap<string, Place> {
  return layOutWithRoutes(steps, edges).places
}

/** The layout with the points between the ends of each edge, which lead it around the steps of the rows it passes. */
export function layOutWithRoutes(steps: LaidOutSteps, edges: LaidOutEdges) {
  const graph = new graphlib.Graph()
  graph.setGraph({ rankdir: 'TB', nodesep: 32, ranksep: 48 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { step_id, size = nodeSize } of steps) graph.setNode(step_id, { ...size })
  for (const { from, to } of edges) graph.setEdge(from, to)
  layout(graph)
  const places: ReadonlyMap<string, Place> = new Map(
    steps.map(({ step_id, size = nodeSize }) => {
      const { x, y } = graph.node(step_id)
      return [step_id, { x: x - size.width / 2, y: y - size.height / 2 }]
    }),
  )
  const routes: ReadonlyMap<string, readonly Place[]> = new Map(
    edges.map(({ from, to }) => {
      const { points } = graph.edge(from, to) as { readonly points: readonly Place[] }
      const between = points.slice(1, -1)
      // An edge to the next row has one point, halfway, and needs none.
      return [`${from} ${to}`, between.length === 1 ? [] : between]
    }),
  )
  return { places, routes }
}

/** A curve from row to row through the points, with the place of the label of the edge. */
export function drawRoute(points: readonly Place[]): { readonly path: string; readonly label: Place } {
  const [start, ...others] = points
  if (start === undefined) return { path: '', label: { x: 0, y: 0 } }
  let from = start
  let path = `M${from.x},${from.y}`
  for (const to of others) {
    const middle = (from.y + to.y) / 2
    path += ` C${from.x},${middle} ${to.x},${middle} ${to.x},${to.y}`
    from = to
  }
  // Near the next step, where edges to several steps are apart; a long edge has its label where it leaves the first row.
  const next = others[0] ?? start
  const label =
    others.length > 1
      ? next
      : { x: start.x + (next.x - start.x) * 0.84, y: start.y + (next.y - start.y) * 0.7 }
  return { path, label }
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
