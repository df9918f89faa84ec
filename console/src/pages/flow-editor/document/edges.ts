import type { DrawnEdge } from '../../../graph/graph-layout.ts'
import type { DraftStep } from './flow-document.ts'
import { isObject, isSameJson, type JsonPath, valueAt } from './json.ts'
import { referencesOf } from './references.ts'

/** An edge between two steps, and the path in the definition that declares it. */
export interface DraftEdge extends DrawnEdge {
  /** The step that declares the edge, and the path in it; null for an implied edge. */
  readonly said: { readonly step: string; readonly path: JsonPath } | null
}

/** Every edge of a draft, as executions follow them. References to missing steps have no edge. */
export function edgesOf(steps: readonly DraftStep[]): readonly DraftEdge[] {
  const known = new Set(steps.map(({ id }) => id))
  return steps.flatMap(edgesBy).filter(({ from, to }) => known.has(from) && known.has(to))
}

const declared = new WeakMap<DraftStep, readonly DraftEdge[]>()

/** The edges that a step declares. Unchanged steps keep theirs, because a flow has hundreds and every key asks for them. */
function edgesBy(step: DraftStep): readonly DraftEdge[] {
  const before = declared.get(step)
  if (before !== undefined) return before
  const edges = [...saidBy(step), ...addedBefore(step)]
  declared.set(step, edges)
  return edges
}

/** Whether two lists have the same edges, in the same order. */
export function isSameEdges(left: readonly DraftEdge[], right: readonly DraftEdge[]): boolean {
  return left.length === right.length && left.every((edge, index) => isSameEdge(edge, right[index]))
}

function isSameEdge(left: DraftEdge, right: DraftEdge | undefined): boolean {
  if (left === right) return true
  return (
    left.from === right?.from &&
    left.to === right.to &&
    left.kind === right.kind &&
    left.label === right.label &&
    left.said?.step === right.said?.step &&
    isSameJson([...(left.said?.path ?? [])], [...(right.said?.path ?? [])])
  )
}

function saidBy(step: DraftStep): DraftEdge[] {
  return referencesOf(step).map(({ path, to: named, kind, label }) => ({
    ...(kind === 'needs' ? { from: named, to: step.id } : { from: step.id, to: named }),
    kind,
    label,
    said: { step: step.id, path },
  }))
}

/** Steps an option adds run before the step it continues with. */
function addedBefore(step: DraftStep): DraftEdge[] {
  const options = step['routing_options']
  if (step.type !== 'ai_prompt' || !isObject(options)) return []
  return Object.keys(options).flatMap((label) => {
    const on = valueAt(options, [label, 'continue_to'])
    const added = valueAt(options, [label, 'add_steps'])
    if (typeof on !== 'string' || !Array.isArray(added)) return []
    return added
      .filter((from): from is string => typeof from === 'string' && from !== on)
      .map((from): DraftEdge => ({ from, to: on, kind: 'before', label: null, said: null }))
  })
}

/** All direct and indirect predecessors of a step, whose outputs it can use. */
export function stepsBefore(steps: readonly DraftStep[], id: string): ReadonlySet<string> {
  const leading = Map.groupBy(edgesOf(steps), ({ to }) => to)
  const reached = new Set<string>()
  const toVisit = [id]
  for (let step = toVisit.pop(); step !== undefined; step = toVisit.pop()) {
    for (const { from } of leading.get(step) ?? []) {
      if (reached.has(from)) continue
      reached.add(from)
      toVisit.push(from)
    }
  }
  return reached
}
