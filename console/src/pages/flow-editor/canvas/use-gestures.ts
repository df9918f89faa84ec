import type { EdgeChange, NodeChange } from '@xyflow/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Place } from '../../../graph/graph-layout.ts'
import { type DraftEdge, edgesOf } from '../document/edges.ts'
import { disconnect, placeSteps } from '../document/edits.ts'
import { useEditing } from '../use-flow-editor.ts'
import {
  type Connection,
  describeLine,
  nameIn,
  refusalOf,
  roleInOption,
  withConnection,
  withOtherRole,
} from './connections.ts'
import { edgeId, handleOfEdge, type StepEdgeType } from './draw-edges.ts'
import type { StepNodeType } from './draw-nodes.ts'
import { readDrawnId } from './drawn-id.ts'
import { onGrid } from './node-shape.ts'

const none: ReadonlySet<string> = new Set()

export function useSelectedLines() {
  const [selectedEdges, setSelectedEdges] = useState(none)
  function onEdgesChange(changes: readonly EdgeChange<StepEdgeType>[]): void {
    const selects = changes.filter((change) => change.type === 'select')
    if (selects.length > 0) setSelectedEdges((before) => new Set(selectionAfter([...before], selects)))
  }
  return { selectedEdges, setSelectedEdges, onEdgesChange }
}

interface ConnectingOptions {
  readonly places: ReadonlyMap<string, Place>
  readonly setSelectedEdges: (ids: ReadonlySet<string>) => void
}

/**
 * Drawing, switching and removing connections. Steps keep their positions meanwhile, so that no step moves under the
 * pointer.
 */
export function useConnecting({ places, setSelectedEdges }: ConnectingOptions) {
  const { editor, announce } = useEditing()
  const documentNow = () => editor.read().document
  const words = (edge: DraftEdge) =>
    describeLine(documentNow(), { from: edge.from, handle: handleOfEdge(edge), to: edge.to })

  function connectSteps(connection: Connection): void {
    const refusal = refusalOf(documentNow(), connection)
    if (refusal !== null) return announce(refusal)
    const line = describeLine(documentNow(), connection)
    const before = new Set(edgesOf(editor.read().steps).map(edgeId))
    editor.change({ what: `the connection from ${line}` }, (document) =>
      placeSteps(withConnection(document, connection), places),
    )
    const made = edgesOf(editor.read().steps).find((edge) => !before.has(edgeId(edge)))
    // An edge of an option has two possible roles: selecting it shows the button that switches them.
    if (made !== undefined && roleInOption(made) !== null) selectEdge(edgeId(made))
    announce(`Connected ${line}.`)
  }

  function selectEdge(id: string): void {
    editor.select([])
    setSelectedEdges(new Set([id]))
  }

  function removeEdges(edges: readonly DraftEdge[]): void {
    const removable = edges.filter(({ said }) => said !== null)
    const [first] = removable
    if (first === undefined) return
    const told =
      removable.length === 1 ? `the connection from ${words(first)}` : `${removable.length} connections`
    setSelectedEdges(none)
    // Removed from last to first, because removing a list entry moves the ones behind it.
    editor.change({ what: `removing ${told}` }, (document) =>
      placeSteps(removable.toReversed().reduce(disconnect, document), places),
    )
    announce(`Removed ${told}. Undo restores it.`)
  }

  function switchRole(edge: DraftEdge): void {
    const line = words(edge)
    editor.change({ what: `the meaning of the connection from ${line}` }, (document) =>
      placeSteps(withOtherRole(document, edge), places),
    )
    const same = edgesOf(editor.read().steps).find(
      (it) =>
        it.said?.step === edge.said?.step && it.to === edge.to && handleOfEdge(it) === handleOfEdge(edge),
    )
    if (same !== undefined) selectEdge(edgeId(same))
    announce(
      roleInOption(edge) === 'goes on'
        ? `The option adds the step now: ${line}.`
        : `The option continues with the step now: ${line}.`,
    )
  }

  return { connectSteps, removeEdges, switchRole }
}

const noneMoved: ReadonlyMap<string, Place> = new Map()

/**
 * Selecting and moving steps on the canvas. A drag stays local to the canvas and becomes one change when it ends. The
 * first manual move fixes the positions of all steps, or a later addition would move them. Escape cancels a drag.
 */
export function useMoving(drawn: StepNodeType[], places: ReadonlyMap<string, Place>) {
  const { editor } = useEditing()
  const [moving, setMoving] = useState(noneMoved)
  const isDragged = useRef(false)
  const isPutBack = useRef(false)
  const isMoving = moving.size > 0
  useEffect(() => {
    if (!isMoving) return undefined
    const putBack = (press: KeyboardEvent) => {
      if (press.key !== 'Escape') return
      // Escape cancels the drag alone, and keeps the selection.
      press.preventDefault()
      press.stopPropagation()
      isPutBack.current = true
      setMoving(noneMoved)
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
    // Moves by arrow keys are merged into one change; every drag is a change.
    const group = isDragged.current ? {} : { group: `moving ${JSON.stringify(ids)}` }
    isDragged.current = false
    setMoving(noneMoved)
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

interface SelectChange {
  readonly id: string
  readonly selected: boolean
}

/** The selection after changes, in its order. */
export function selectionAfter(selected: readonly string[], changes: readonly SelectChange[]): string[] {
  const ids = new Set(selected)
  for (const { id, selected: isSelected } of changes) {
    if (isSelected) ids.add(id)
    else ids.delete(id)
  }
  return [...ids]
}
