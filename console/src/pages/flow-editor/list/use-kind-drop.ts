import { type DragEvent, useState } from 'react'
import type { StepKind } from '../document/step-kinds.ts'
import { kindDragType, readKind } from '../palette/dragged-kind.ts'
import { edgeAt } from './row-edge.ts'

/** Lets kinds of steps be dropped from the palette between the rows, or below them. */
export function useKindDrop(onDrop: (kind: StepKind, index: number) => void) {
  // The place the new step would have; undefined while nothing is dragged.
  const [gap, setGap] = useState<number>()
  return {
    gap,
    handlers: {
      onDragOver(drag: DragEvent<HTMLElement>) {
        if (!drag.dataTransfer.types.includes(kindDragType)) return
        drag.preventDefault()
        drag.dataTransfer.dropEffect = 'copy'
        setGap(gapAt(drag))
      },
      onDragLeave({ currentTarget, relatedTarget }: DragEvent<HTMLElement>) {
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
        if (!isInside) setGap(undefined)
      },
      onDrop(drag: DragEvent<HTMLElement>) {
        setGap(undefined)
        const kind = readKind(drag.dataTransfer.getData(kindDragType))
        if (kind === null) return
        drag.preventDefault()
        onDrop(kind, gapAt(drag))
      },
    },
  }
}

function gapAt({ target, currentTarget, clientY }: DragEvent<HTMLElement>): number {
  const rows = [...currentTarget.querySelectorAll('li[data-step]')]
  const row = target instanceof Element ? target.closest('li[data-step]') : null
  if (row === null) return rows.length
  return rows.indexOf(row) + (edgeAt(row, clientY) === 'after' ? 1 : 0)
}
