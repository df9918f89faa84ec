import type { Place } from '../../../graph/graph-layout.ts'
import { type DraftEdge, edgesOf } from '../document/edges.ts'
import { addStep, connect, placeSteps, setStepValue } from '../document/edits.ts'
import { type DraftStep, type FlowDocument, placesIn } from '../document/flow-document.ts'
import { onGrid, sizeOf } from './node-shape.ts'

/** So far below each other are steps that a step was put between. */
const distance = 48

/** Puts a step between two that a line connects; what stands below makes room where places were chosen by hand. */
export function insertStep(
  document: FlowDocument,
  edge: DraftEdge,
  step: DraftStep,
  drawn: ReadonlyMap<string, Place>,
): FlowDocument {
  const { said, kind, from, to } = edge
  if (said === null) return document
  const placed = placesIn(document).size === 0 ? document : withRoom(document, edge, step, drawn)
  const added = addStep(placed, step, { after: kind === 'needs' ? from : undefined })
  const redirected = setStepValue(added, said.step, said.path, step.id)
  return kind === 'needs' ? redirected : connect(redirected, step.id, to)
}

function withRoom(
  document: FlowDocument,
  { from, to }: DraftEdge,
  step: DraftStep,
  drawn: ReadonlyMap<string, Place>,
): FlowDocument {
  const { steps } = document.definition
  const above = drawn.get(from)
  const below = drawn.get(to)
  const first = steps.find(({ id }) => id === from)
  if (above === undefined || below === undefined || first === undefined) return document
  const place = onGrid({ x: below.x, y: above.y + sizeOf(first).height + distance })
  const missing = place.y + sizeOf(step).height + distance - below.y
  const moved = [...(missing > 0 ? stepsFrom(steps, to) : [])].flatMap((id) => {
    const old = drawn.get(id)
    return old === undefined ? [] : [[id, { x: old.x, y: old.y + missing }] as const]
  })
  return placeSteps(document, new Map([...drawn, ...moved, [step.id, place]]))
}

/** A step and everything after it, however far. */
function stepsFrom(steps: readonly DraftStep[], id: string): ReadonlySet<string> {
  const next = Map.groupBy(edgesOf(steps), ({ from }) => from)
  const reached = new Set([id])
  for (const step of reached) {
    for (const { to } of next.get(step) ?? []) reached.add(to)
  }
  return reached
}
