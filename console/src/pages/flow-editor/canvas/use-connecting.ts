import type { EdgeChange } from '@xyflow/react'
import { useState } from 'react'
import type { Place } from '../../../graph/graph-layout.ts'
import { type DraftEdge, edgesOf } from '../document/edges.ts'
import { disconnect, placeSteps } from '../document/edits.ts'
import { useEditing } from '../use-flow-editor.ts'
import {
  type Connection,
  describeLine,
  refusalOf,
  roleInOption,
  withConnection,
  withOtherRole,
} from './connections.ts'
import { edgeId, handleOfEdge, type StepEdgeType } from './draw-edges.ts'
import { selectionAfter } from './selection.ts'

const none: ReadonlySet<string> = new Set()

/** Which lines are selected. */
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

/** Drawing, switching and removing connections. Steps keep their positions meanwhile, so that nothing moves under the pointer. */
export function useConnecting({ places, setSelectedEdges }: ConnectingOptions) {
  const { editor, announce } = useEditing()
  const documentNow = () => editor.read().document
  const words = (edge: DraftEdge) =>
    describeLine(documentNow(), { from: edge.from, handle: handleOfEdge(edge), to: edge.to })

  function connectSteps(connection: Connection): void {
    const refusal = refusalOf(documentNow(), connection)
    if (refusal !== null) return announce(refusal)
    const line = describeLine(documentNow(), connection)
    const before = new Set(edgesOf(documentNow().definition.steps).map(edgeId))
    editor.change({ what: `the connection from ${line}` }, (document) =>
      placeSteps(withConnection(document, connection), places),
    )
    const made = edgesOf(documentNow().definition.steps).find((edge) => !before.has(edgeId(edge)))
    // An option can mean two things by it: the line offers the other one at once.
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
    // From the last, because what is taken out of a list moves what stands behind it.
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
    const { steps } = documentNow().definition
    const same = edgesOf(steps).find(
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
