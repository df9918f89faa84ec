import { useMemo, useState } from 'react'
import { layOut, type Place, type Size } from '../../../graph/graph-layout.ts'
import { type DraftEdge, edgesOf, isSameEdges } from '../document/edges.ts'
import { type DraftStep, type FlowDocument, nameOf, placesIn } from '../document/flow-document.ts'
import { dormantSteps } from '../document/references.ts'
import { problemsByStep } from '../problems/problem.ts'
import { useEditing } from '../use-flow-editor.ts'
import { drawEdges } from './draw-edges.ts'
import { drawNodes, type ProblemCounts, type StepNodeType } from './draw-nodes.ts'
import { grid, onGrid, sizeOf } from './node-shape.ts'

/** The nodes and edges of the flow with their positions. */
export function useDrawing(selectedEdges: ReadonlySet<string>) {
  const { state, problems, tried } = useEditing()
  const { document, steps, selected } = state
  const edges = useSteadyEdges(steps)
  const places = usePlaces(steps, document, edges)
  const counts = useMemo(() => {
    const byStep = problemsByStep(problems, document)
    return new Map<string, ProblemCounts>(
      [...byStep].map(([id, own]) => {
        const errors = own.filter(({ severity }) => severity === 'error').length
        return [id, { errors, warnings: own.length - errors }]
      }),
    )
  }, [problems, document])
  const dormant = useMemo(() => dormantSteps(steps), [steps])
  const [drawn] = useState(() => new WeakMap<DraftStep, StepNodeType>())
  const nodes = useMemo(
    () =>
      drawNodes({ steps, edges, places, selected, dormant, problems: counts, tried: tried?.steps, drawn }),
    [steps, edges, places, selected, dormant, counts, tried, drawn],
  )
  const hasSteps = selected.length > 0
  const told = JSON.stringify(steps.map((step) => [step.id, nameOf(step)]))
  const names = useMemo(() => new Map(JSON.parse(told) as [string, string][]), [told])
  const lines = useMemo(
    () =>
      drawEdges(edges, {
        // A selection box also catches the edges beside steps; with steps selected, actions apply to the steps alone.
        selected: hasSteps ? new Set() : selectedEdges,
        nameOfStep: (id) => names.get(id) ?? id,
      }),
    [edges, selectedEdges, hasSteps, names],
  )
  return { edges, places, nodes, lines }
}

/** The edges of the steps. Typing a prompt changes none, and then React Flow need not draw them again. */
function useSteadyEdges(steps: readonly DraftStep[]): readonly DraftEdge[] {
  const found = useMemo(() => edgesOf(steps), [steps])
  const [edges, setEdges] = useState(found)
  const isSame = edges === found || isSameEdges(edges, found)
  if (!isSame) setEdges(found)
  return isSame ? edges : found
}

interface Shape {
  readonly steps: readonly { readonly id: string; readonly size: Size }[]
  readonly lines: readonly { readonly from: string; readonly to: string }[]
  readonly kept: readonly (readonly [string, Place])[]
}

/** The layout is computed again only when the graph changes, not when a prompt is edited. */
function usePlaces(
  all: readonly DraftStep[],
  document: FlowDocument,
  edges: readonly DraftEdge[],
): ReadonlyMap<string, Place> {
  const shape = JSON.stringify({
    steps: all.map((step) => ({ id: step.id, size: sizeOf(step) })),
    lines: edges.map(({ from, to }) => ({ from, to })),
    kept: [...placesIn(document)],
  } satisfies Shape)
  return useMemo(() => {
    const { steps, lines, kept } = JSON.parse(shape) as Shape
    return arrange(steps, lines, new Map(kept))
  }, [shape])
}

interface Arranged {
  readonly id: string
  readonly size: Size
}

interface Line {
  readonly from: string
  readonly to: string
}

/** The minimum distance between steps. */
const gap = 24

/** The position of every step: manual ones are kept, and the others are arranged around them like a fresh layout. */
export function arrange(
  steps: readonly Arranged[],
  lines: readonly Line[],
  kept: ReadonlyMap<string, Place>,
): ReadonlyMap<string, Place> {
  const loose = steps.filter(({ id }) => !kept.has(id))
  if (loose.length === 0) return keptOf(steps, kept)
  const fresh = layOutAfresh(steps, lines)
  const places = new Map(keptOf(steps, kept))
  if (places.size === 0) return new Map([...fresh].map(([id, place]) => [id, onGrid(place)]))
  const sizes = new Map(steps.map(({ id, size }) => [id, size]))
  const anchored = new Set(places.keys())
  for (const { id, size } of loose.toSorted(
    (left, right) => heightOf(fresh, left) - heightOf(fresh, right),
  )) {
    const anchor = anchorOf(id, lines, anchored)
    if (anchor !== undefined) anchored.add(id)
    const wanted = onGrid(besides(id, anchor, fresh, places))
    places.set(id, freePlace(wanted, size, places, sizes))
  }
  return places
}

/** Leaves space between ranks for labels and for the add button of a step. */
function layOutAfresh(steps: readonly Arranged[], lines: readonly Line[]): ReadonlyMap<string, Place> {
  const roomy = steps.map(({ id, size: { width, height } }) => ({
    step_id: id,
    size: { width, height: height + gap },
  }))
  return new Map([...layOut(roomy, lines)].map(([id, { x, y }]) => [id, { x, y: y + gap / 2 }]))
}

function keptOf(steps: readonly Arranged[], kept: ReadonlyMap<string, Place>): ReadonlyMap<string, Place> {
  return new Map(
    steps.flatMap(({ id }) => {
      const place = kept.get(id)
      return place === undefined ? [] : [[id, place] as const]
    }),
  )
}

function heightOf(places: ReadonlyMap<string, Place>, { id }: Arranged): number {
  return places.get(id)?.y ?? 0
}

/** A neighbour with a known position; predecessors before successors. */
function anchorOf(id: string, lines: readonly Line[], known: ReadonlySet<string>): string | undefined {
  return (
    lines.find(({ from, to }) => to === id && known.has(from))?.from ??
    lines.find(({ from, to }) => from === id && known.has(to))?.to
  )
}

/** The position with the same offset to the neighbour as in a fresh layout. */
function besides(
  id: string,
  anchor: string | undefined,
  fresh: ReadonlyMap<string, Place>,
  places: ReadonlyMap<string, Place>,
): Place {
  const own = fresh.get(id) ?? { x: 0, y: 0 }
  const there = anchor === undefined ? undefined : places.get(anchor)
  const before = anchor === undefined ? undefined : fresh.get(anchor)
  if (there === undefined || before === undefined) return own
  return { x: there.x + own.x - before.x, y: there.y + own.y - before.y }
}

/** The wanted position, or the next free one to its right. */
function freePlace(
  wanted: Place,
  size: Size,
  places: ReadonlyMap<string, Place>,
  sizes: ReadonlyMap<string, Size>,
): Place {
  let place = wanted
  for (;;) {
    const inTheWay = [...places].find(([id, other]) => touches(place, size, other, sizes.get(id)))
    if (inTheWay === undefined) return place
    const [id, other] = inTheWay
    const beyond = other.x + (sizes.get(id)?.width ?? 0) + gap
    place = { x: Math.ceil(beyond / grid) * grid, y: place.y }
  }
}

function touches(place: Place, size: Size, other: Place, otherSize: Size | undefined): boolean {
  if (otherSize === undefined) return false
  return (
    place.x < other.x + otherSize.width + gap &&
    other.x < place.x + size.width + gap &&
    place.y < other.y + otherSize.height + gap &&
    other.y < place.y + size.height + gap
  )
}
