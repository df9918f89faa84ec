import type { NodeChange } from '@xyflow/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Place } from '../../../graph/graph-layout.ts'
import { placeSteps } from '../document/edits.ts'
import { useEditing } from '../use-flow-editor.ts'
import { nameIn } from './connections.ts'
import type { StepNodeType } from './draw-nodes.ts'
import { readDrawnId } from './drawn-id.ts'
import { onGrid } from './node-shape.ts'
import { selectionAfter } from './selection.ts'

const none: ReadonlyMap<string, Place> = new Map()

/**
 * Selecting and moving steps on the canvas. While steps are dragged only the canvas knows; when they are let go it is one change.
 * The first move by hand keeps all others where they are seen, or they would walk away when something is added later.
 * Escape puts back what is being dragged.
 */
export function useMoving(drawn: StepNodeType[], places: ReadonlyMap<string, Place>) {
  const { editor } = useEditing()
  const [moving, setMoving] = useState(none)
  const isDragged = useRef(false)
  const isPutBack = useRef(false)
  const isMoving = moving.size > 0
  useEffect(() => {
    if (!isMoving) return undefined
    const putBack = (press: KeyboardEvent) => {
      if (press.key !== 'Escape') return
      // It means the drag alone, and not what is selected.
      press.preventDefault()
      press.stopPropagation()
      isPutBack.current = true
      setMoving(none)
    }
    document.addEventListener('keydown', putBack, { capture: true })
    return () => document.removeEventListener('keydown', putBack, { capture: true })
  }, [isMoving])
  const nodes = useMemo(
    () =>
      moving.size === 0
        ? drawn
        : drawn.map((node) => {
            const position = moving.get(node.data.step.id)
            return position === undefined ? node : { ...node, position }
          }),
    [drawn, moving],
  )

  function keep(moved: ReadonlyMap<string, Place>): void {
    const { document } = editor.read()
    const ids = [...moved.keys()]
    const what = `moving ${ids.length === 1 ? nameIn(document, ids[0] ?? '') : `${ids.length} steps`}`
    // Keys come one by one and are one change; so is every drag.
    const group = isDragged.current ? {} : { group: `moving ${JSON.stringify(ids)}` }
    isDragged.current = false
    setMoving(none)
    editor.change({ what, ...group }, (it) => placeSteps(it, new Map([...places, ...moved])))
  }

  function onNodesChange(changes: readonly NodeChange<StepNodeType>[]): void {
    const selects = changes.flatMap((change) =>
      change.type === 'select' ? [{ id: readDrawnId(change.id), selected: change.selected }] : [],
    )
    if (selects.length > 0) editor.select(selectionAfter(editor.read().selected, selects))
    const moves = changes.filter((change) => change.type === 'position')
    const moved = new Map(
      moves.flatMap(({ id, position }) =>
        position === undefined ? [] : [[readDrawnId(id), onGrid(position)] as const],
      ),
    )
    if (moved.size === 0) return
    const goesOn = moves.some(({ dragging }) => dragging === true)
    if (isPutBack.current) {
      isPutBack.current = goesOn
      isDragged.current = goesOn
    } else if (goesOn) {
      isDragged.current = true
      setMoving((before) => new Map([...before, ...moved]))
    } else keep(moved)
  }

  return { nodes, onNodesChange }
}
