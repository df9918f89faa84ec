import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'

interface StepDrag {
  readonly item: RefObject<HTMLLIElement | null>
  readonly handle: RefObject<HTMLSpanElement | null>
  readonly isDragged: boolean
  /** Where what is dragged would go: before or after this step. */
  readonly edge: 'before' | 'after' | undefined
}

interface StepDragOptions {
  readonly stepKey: string
  /** Something was dropped here. */
  readonly onDrop: (draggedKey: string, edge: 'before' | 'after') => void
}

/** Lets a step be dragged by its handle, and others be dropped on either side of it. */
export function useStepDrag({ stepKey, onDrop }: StepDragOptions): StepDrag {
  const item = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLSpanElement>(null)
  const [isDragged, setDragged] = useState(false)
  const [edge, setEdge] = useState<'before' | 'after'>()
  const dropped = useEffectEvent(onDrop)

  useEffect(() => {
    const element = item.current
    if (element === null) return undefined
    const edgeAt = (clientY: number) => {
      const { top, height } = element.getBoundingClientRect()
      return clientY < top + height / 2 ? 'before' : 'after'
    }
    return combine(
      draggable({
        element,
        ...(handle.current === null ? {} : { dragHandle: handle.current }),
        getInitialData: () => ({ stepKey }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) =>
          typeof source.data['stepKey'] === 'string' && source.data['stepKey'] !== stepKey,
        onDrag: ({ location }) => setEdge(edgeAt(location.current.input.clientY)),
        onDragLeave: () => setEdge(undefined),
        onDrop: ({ source, location }) => {
          setEdge(undefined)
          const { stepKey: dragged } = source.data
          if (typeof dragged === 'string') dropped(dragged, edgeAt(location.current.input.clientY))
        },
      }),
    )
  }, [stepKey])

  return { item, handle, isDragged, edge }
}
