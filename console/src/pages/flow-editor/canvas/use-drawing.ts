import { useMemo, useState } from 'react'
import type { Place, Size } from '../../../graph/graph-layout.ts'
import { type DraftEdge, edgesOf } from '../document/edges.ts'
import { type DraftStep, type FlowDocument, nameOf, placesIn } from '../document/flow-document.ts'
import { dormantSteps } from '../document/references.ts'
import { problemsOfStep } from '../problems/problem.ts'
import { useEditing } from '../use-flow-editor.ts'
import { arrange } from './arrange.ts'
import { drawEdges } from './draw-edges.ts'
import { drawNodes, type ProblemCounts, type StepNodeType } from './draw-nodes.ts'
import { sizeOf } from './node-shape.ts'

/** The flow as it is drawn: what stands where, and which lines lead to what. */
export function useDrawing(selectedEdges: ReadonlySet<string>) {
  const { state, problems, tried } = useEditing()
  const { document, selected } = state
  const { steps } = document.definition
  const edges = useMemo(() => edgesOf(steps), [steps])
  const places = usePlaces(document, edges)
  const counts = useMemo(() => {
    const counted = new Map<string, ProblemCounts>()
    if (problems.length === 0) return counted
    for (const { id } of steps) {
      const own = problemsOfStep(problems, steps, id)
      const errors = own.filter(({ severity }) => severity === 'error').length
      if (own.length > 0) counted.set(id, { errors, warnings: own.length - errors })
    }
    return counted
  }, [problems, steps])
  const dormant = useMemo(() => dormantSteps(steps), [steps])
  const [drawn] = useState(() => new WeakMap<DraftStep, StepNodeType>())
  const nodes = useMemo(
    () =>
      drawNodes({ steps, edges, places, selected, dormant, problems: counts, tried: tried?.steps, drawn }),
    [steps, edges, places, selected, dormant, counts, tried, drawn],
  )
  const hasSteps = selected.length > 0
  const names = useMemo(() => new Map(steps.map((step) => [step.id, nameOf(step)])), [steps])
  const lines = useMemo(
    () =>
      drawEdges(edges, {
        // Lines beside selected steps were caught by the same box; what happens next is about the steps.
        selected: hasSteps ? new Set() : selectedEdges,
        nameOfStep: (id) => names.get(id) ?? id,
      }),
    [edges, selectedEdges, hasSteps, names],
  )
  return { edges, places, nodes, lines }
}

interface Shape {
  readonly steps: readonly { readonly id: string; readonly size: Size }[]
  readonly lines: readonly { readonly from: string; readonly to: string }[]
  readonly kept: readonly (readonly [string, Place])[]
}

/** Laid out anew only when the shape changes, which a word in a prompt does not. */
function usePlaces(document: FlowDocument, edges: readonly DraftEdge[]): ReadonlyMap<string, Place> {
  const shape = JSON.stringify({
    steps: document.definition.steps.map((step) => ({ id: step.id, size: sizeOf(step) })),
    lines: edges.map(({ from, to }) => ({ from, to })),
    kept: [...placesIn(document)],
  } satisfies Shape)
  return useMemo(() => {
    const { steps, lines, kept } = JSON.parse(shape) as Shape
    return arrange(steps, lines, new Map(kept))
  }, [shape])
}
