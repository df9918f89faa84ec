import { useReactFlow } from '@xyflow/react'
import { type DragEvent, useState } from 'react'
import type { Place } from '../../../graph/graph-layout.ts'
import type { DraftEdge } from '../document/edges.ts'
import { addStep, placeSteps } from '../document/edits.ts'
import type { DraftStep } from '../document/flow-document.ts'
import { newStep, type StepKind } from '../document/step-kinds.ts'
import { useStepActions } from '../list/use-step-actions.ts'
import { kindDragType, readKind } from '../palette/dragged-kind.ts'
import { useEditing } from '../use-flow-editor.ts'
import { nameIn, withConnection } from './connections.ts'
import { edgeId } from './draw-edges.ts'
import { insertStep } from './insert-step.ts'
import { onGrid, sizeOf } from './node-shape.ts'

/** The choice of a kind that is open, and what it is for. */
interface Wanted {
  /** Where on the screen. */
  readonly at: Place
  /** How much below that shall stay in sight: the button that was pressed. */
  readonly height: number
  readonly from: string
  /** The handle a line was drawn from; null after a button. */
  readonly handle: string | null
  readonly opener: HTMLElement | null
}

/** New steps: behind one, at the end of a line, where they are dropped, or between two. */
export function useAdding(edges: readonly DraftEdge[], places: ReadonlyMap<string, Place>) {
  const { editor, announce } = useEditing()
  const { add } = useStepActions()
  const { screenToFlowPosition } = useReactFlow()
  const [wanted, setWanted] = useState<Wanted | null>(null)
  const [overEdge, setOverEdge] = useState<string | null>(null)

  function stepOf(kind: StepKind): DraftStep {
    return newStep(kind, editor.read().document.definition.steps)
  }

  /** So that the middle of its head is at a point of the screen. */
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
    const { document } = editor.read()
    editor.change({ what: `adding ${step.id}` }, (it) =>
      withConnection(addStep(placeSteps(it, places), step, { place: placeAt(at, step) }), {
        from,
        handle,
        to: step.id,
      }),
    )
    editor.ask(`steps[${document.definition.steps.length}].label`)
    announce(`${kind.title}: ${step.id} was added, after ${nameIn(document, from)}.`)
  }

  function edgeUnder({ target }: DragEvent): DraftEdge | undefined {
    const id = target instanceof Element ? target.closest('.react-flow__edge')?.getAttribute('data-id') : null
    return edges.find((edge) => edge.said !== null && edgeId(edge) === id)
  }

  function drop(kind: StepKind, point: Place, edge: DraftEdge | undefined): void {
    const step = stepOf(kind)
    const { document } = editor.read()
    editor.change({ what: `adding ${step.id}` }, (it) =>
      edge === undefined
        ? addStep(placeSteps(it, places), step, { place: placeAt(point, step) })
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
