import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Edge, edgeAt } from './row-edge.ts'

interface StepDrag {
  readonly item: RefObject<HTMLLIElement | null>
  readonly handle: RefObject<HTMLSpanElement | null>
  readonly isDragged: boolean
  /** Where what is dragged would go: before or after this step. */
  readonly edge: Edge | undefined
}

interface StepDragOptions {
  readonly id: string
  /** Another step was dropped here. */
  readonly onDrop: (dragged: string, edge: Edge) => void
}

/** Lets a step be dragged by its handle, and others be dropped on either side of it. */
export function useStepDrag({ id, onDrop }: StepDragOptions): StepDrag {
  const item = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLSpanElement>(null)
  const [isDragged, setDragged] = useState(false)
  const [edge, setEdge] = useState<Edge>()
  const dropped = useEffectEvent(onDrop)

  useEffect(() => {
    const element = item.current
    if (element === null) return undefined
    return combine(
      draggable({
        element,
        ...(handle.current === null ? {} : { dragHandle: handle.current }),
        getInitialData: () => ({ flowStep: id }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) =>
          typeof source.data['flowStep'] === 'string' && source.data['flowStep'] !== id,
        onDrag: ({ location }) => setEdge(edgeAt(element, location.current.input.clientY)),
        onDragLeave: () => setEdge(undefined),
        onDrop: ({ source, location }) => {
          setEdge(undefined)
          const { flowStep: dragged } = source.data
          if (typeof dragged === 'string') dropped(dragged, edgeAt(element, location.current.input.clientY))
        },
      }),
    )
  }, [id])

  return { item, handle, isDragged, edge }
}
