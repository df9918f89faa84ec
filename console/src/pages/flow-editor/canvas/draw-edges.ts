import { type Edge, MarkerType } from '@xyflow/react'
import { type Place, shorten } from '../../../graph/graph-layout.ts'
import type { DraftEdge } from '../document/edges.ts'
import { handleOfReference, plainHandle } from './branches.ts'
import { drawnId } from './drawn-id.ts'

type StepEdgeData = { readonly edge: DraftEdge; readonly isLoneSelection: boolean }

export type StepEdgeType = Edge<StepEdgeData, 'step'>

/** The ID of an edge. It is stable as long as the path of its reference is. */
export function edgeId({ said, from, to }: DraftEdge): string {
  return drawnId(said === null ? `before ${from} ${to}` : `${said.step} ${JSON.stringify(said.path)}`)
}

export function handleOfEdge({ kind, said }: DraftEdge): string {
  return kind === 'chooses' && said !== null ? handleOfReference(said.path) : plainHandle
}

export function drawEdges(
  edges: readonly DraftEdge[],
  { selected, nameOfStep }: EdgesOptions,
): StepEdgeType[] {
  const labels = new Map(
    [...Map.groupBy(edges, ends)].map(([, same]) => [
      same[0],
      shorten([...new Set(same.flatMap(({ label }) => label ?? []))].join(' or ')),
    ]),
  )
  const distinct = new Map(edges.map((edge) => [edgeId(edge), edge]))
  return [...distinct].map(([id, edge]): StepEdgeType => {
    const { from, to, kind, label } = edge
    const isSelected = selected.has(id)
    const shown = labels.get(edge) ?? ''
    return {
      id,
      type: 'step',
      source: drawnId(from),
      sourceHandle: handleOfEdge(edge),
      target: drawnId(to),
      targetHandle: 'before',
      data: { edge, isLoneSelection: isSelected && selected.size === 1 },
      ...(shown === '' ? {} : { label: shown }),
      selected: isSelected,
      selectable: kind !== 'before',
      focusable: kind !== 'before',
      className: kind,
      interactionWidth: kind === 'before' ? 0 : 20,
      ariaLabel: `From ${nameOfStep(from)} to ${nameOfStep(to)}${label === null ? '' : `, when ${label}`}`,
      markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14 },
    }
  })
}

interface EdgesOptions {
  readonly selected: ReadonlySet<string>
  readonly nameOfStep: (id: string) => string
}

/** Edges between the same steps share one label: two would overlap. */
function ends({ from, to }: DraftEdge): string {
  return JSON.stringify([from, to])
}

/**
 * The first point of a cubic curve such as `M0,0 C10,0 20,5 20,10` at or below a height, away from its ends; its middle
 * if there is none.
 */
export function pointAsLowAs(path: string, lowest: number): Place {
  const shares = Array.from({ length: 17 }, (_, index) => 0.1 + index * 0.05)
  return (
    shares.map((share) => pointOnCurve(path, share)).find(({ y }) => y >= lowest) ?? pointOnCurve(path, 0.5)
  )
}

function pointOnCurve(path: string, share: number): Place {
  const numbers = (path.match(/-?[\d.]+(?:e[-+]?\d+)?/g) ?? []).map(Number)
  const rest = 1 - share
  const weights = [rest ** 3, 3 * rest ** 2 * share, 3 * rest * share ** 2, share ** 3]
  const mix = (first: number) =>
    weights.reduce((sum, weight, index) => sum + weight * (numbers[first + index * 2] ?? 0), 0)
  return { x: mix(0), y: mix(1) }
}
