import { useReactFlow } from '@xyflow/react'
import { type DragEvent, useState } from 'react'
import type { Place } from '../../../graph/graph-layout.ts'
import { type DraftEdge, edgesOf } from '../document/edges.ts'
import { addStep, connect, placeSteps, setStepValue } from '../document/edits.ts'
import { type DraftStep, type FlowDocument, placesIn } from '../document/flow-document.ts'
import { placeOfStep, scopeOf } from '../document/scopes.ts'
import { newStep, type StepKind } from '../document/step-kinds.ts'
import { useStepActions } from '../list/step-actions.ts'
import { kindDragType, readKind } from '../palette/dragged-kind.ts'
import { useEditing } from '../use-flow-editor.ts'
import { nameIn, withConnection } from './connections.ts'
import { edgeId } from './draw-edges.ts'
import { onGrid, sizeOf } from './node-shape.ts'

/** The open menu of step types and the position of the new step. */
interface Wanted {
  readonly at: Place
  /** The height of the pressed button, which the menu must not cover. */
  readonly height: number
  readonly from: string
  /** The handle an edge was drawn from; null after a button. */
  readonly handle: string | null
  readonly opener: HTMLElement | null
}

/** Adding steps: after a step, at the end of an edge, at a drop position, or between two steps. */
export function useAdding(edges: readonly DraftEdge[], places: ReadonlyMap<string, Place>) {
  const { editor, announce } = useEditing()
  const { add } = useStepActions()
  const { screenToFlowPosition } = useReactFlow()
  const [wanted, setWanted] = useState<Wanted | null>(null)
  const [overEdge, setOverEdge] = useState<string | null>(null)

  function stepOf(kind: StepKind): DraftStep {
    return newStep(kind, editor.read().document.definition)
  }

  /** Centres the head of the step on a screen position. */
  function placeAt(point: Place, step: DraftStep): Place {
    const { x, y } = screenToFlowPosition(point)
    return onGrid({ x: x - sizeOf(step).width / 2, y: y - 16 })
  }

  function choose(kind: StepKind): void {
    setWanted(null)
    if (wanted === null) return
    const { at, from, handle } = wanted
    if (handle === null) return add(kind, { after: from })
    const step = stepOf(kind)
    const { document, scope } = editor.read()
    editor.change({ what: `adding ${step.id}` }, (it) =>
      withConnection(addStep(placeSteps(it, places), step, { within: scope, place: placeAt(at, step) }), {
        from,
        handle,
        to: step.id,
      }),
    )
    editor.askStep(step.id)
    announce(`${kind.title}: ${step.id} was added, after ${nameIn(document, from)}.`)
  }

  function edgeUnder({ target }: DragEvent): DraftEdge | undefined {
    const id = target instanceof Element ? target.closest('.react-flow__edge')?.getAttribute('data-id') : null
    return edges.find((edge) => edge.said !== null && edgeId(edge) === id)
  }

  function drop(kind: StepKind, point: Place, edge: DraftEdge | undefined): void {
    const step = stepOf(kind)
    const { document, scope } = editor.read()
    editor.change({ what: `adding ${step.id}` }, (it) =>
      edge === undefined
        ? addStep(placeSteps(it, places), step, { within: scope, place: placeAt(point, step) })
        : insertStep(it, edge, step, places),
    )
    editor.select([step.id])
    const where =
      edge === undefined ? '' : `, between ${nameIn(document, edge.from)} and ${nameIn(document, edge.to)}`
    announce(`${kind.title}: ${step.id} was added${where}.`)
  }

  return {
    wanted,
    overEdge,
    choose,
    close: () => {
      wanted?.opener?.focus()
      setWanted(null)
    },
    addAfter: (id: string, opener: HTMLElement) => {
      const { left, top, height } = opener.getBoundingClientRect()
      setWanted({ at: { x: left, y: top }, height, from: id, handle: null, opener })
    },
    addAtLineEnd: (at: Place, { from, handle }: { readonly from: string; readonly handle: string }) =>
      setWanted({ at, height: 0, from, handle, opener: null }),
    dropZone: {
      onDragOver(event: DragEvent) {
        if (!event.dataTransfer.types.includes(kindDragType)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'copy'
        const edge = edgeUnder(event)
        setOverEdge(edge === undefined ? null : edgeId(edge))
      },
      onDragLeave: () => setOverEdge(null),
      onDrop(event: DragEvent) {
        const kind = readKind(event.dataTransfer.getData(kindDragType))
        setOverEdge(null)
        if (kind === null) return
        event.preventDefault()
        drop(kind, { x: event.clientX, y: event.clientY }, edgeUnder(event))
      },
    },
  }
}

/** The vertical distance between steps after one was inserted. */
const distance = 48

/** Inserts a step between two connected steps; with manual positions, the steps below move down. */
export function insertStep(
  document: FlowDocument,
  edge: DraftEdge,
  step: DraftStep,
  drawn: ReadonlyMap<string, Place>,
): FlowDocument {
  const { said, kind, from, to } = edge
  if (said === null) return document
  const placed = placesIn(document).size === 0 ? document : withSpace(document, edge, step, drawn)
  const within = scopeOf(document, from)
  const added = addStep(placed, step, { after: kind === 'needs' ? from : undefined, within })
  const redirected = setStepValue(added, said.step, said.path, step.id)
  return kind === 'needs' ? redirected : connect(redirected, step.id, to)
}

function withSpace(
  document: FlowDocument,
  { from, to }: DraftEdge,
  step: DraftStep,
  drawn: ReadonlyMap<string, Place>,
): FlowDocument {
  const steps = placeOfStep(document, from)?.beside ?? []
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

/** A step and all its direct and indirect successors. */
function stepsFrom(steps: readonly DraftStep[], id: string): ReadonlySet<string> {
  const next = Map.groupBy(edgesOf(steps), ({ from }) => from)
  const reached = new Set([id])
  for (const step of reached) {
    for (const { to } of next.get(step) ?? []) reached.add(to)
  }
  return reached
}
