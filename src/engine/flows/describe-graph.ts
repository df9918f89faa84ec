import type { FlowDefinition } from '../definition/flow.ts'
import { callsModels, type StepType, stepTypes } from '../definition/step-types.ts'
import { type Edge, edgesOf } from '../graph/edges.ts'
import { type Graph, readGraph } from '../graph/graph.ts'

/** The structure of a flow. */
export interface FlowGraph {
  readonly totalSteps: number
  readonly stepsByType: Readonly<Record<StepType, number>>
  /** The edges between steps, in the order of the definition. */
  readonly edges: readonly Edge[]
  /** The steps each step waits for: its dependencies and the steps that choose it. Only steps that wait. */
  readonly dependencies: Readonly<Record<string, readonly string[]>>
  /** Steps by depth in the graph. Steps of one group can run in parallel. */
  readonly groups: readonly (readonly string[])[]
  /** The path through the flow that takes longest. */
  readonly criticalPath: readonly string[]
  /** Steps that run only when an agent adds them. */
  readonly onDemand: readonly string[]
  /** Models that steps name, without those of the default chain. */
  readonly models: readonly string[]
  /** Hosts that external_api steps call. */
  readonly hosts: readonly string[]
  readonly memoryKeys: readonly string[]
}

/** Describes the graph of a valid flow. `weightOf` returns the duration of a step; by default all steps take the same time. */
export function describeGraph(
  { steps }: Pick<FlowDefinition, 'steps'>,
  weightOf: (stepId: string) => number = () => 1,
): FlowGraph {
  const graph = readGraph(steps)
  const groups: string[][] = []
  const depth = new Map<string, number>()
  /** The length of the longest path to each step, including the step, and the step before it on this path. */
  const paths = new Map<string, { readonly length: number; readonly before: string | undefined }>()
  for (const id of inOrder(graph)) {
    const after = [...(graph.byId.get(id)?.after ?? [])]
    const level = Math.max(-1, ...after.map((before) => depth.get(before) ?? 0)) + 1
    depth.set(id, level)
    ;(groups[level] ??= []).push(id)
    const longest = after.reduce<string | undefined>(
      (best, before) =>
        best === undefined || (paths.get(before)?.length ?? 0) > (paths.get(best)?.length ?? 0)
          ? before
          : best,
      undefined,
    )
    paths.set(id, { length: (paths.get(longest ?? '')?.length ?? 0) + weightOf(id), before: longest })
  }
  return {
    totalSteps: steps.length,
    stepsByType: Object.fromEntries(
      stepTypes.map((type) => [type, steps.filter((step) => step.type === type).length]),
    ) as Record<StepType, number>,
    edges: edgesOf(steps),
    dependencies: Object.fromEntries(
      graph.nodes.filter(({ after }) => after.size > 0).map(({ id, after }) => [id, [...after]]),
    ),
    groups,
    criticalPath: pathTo(longestOf(paths), paths),
    onDemand: graph.nodes.filter(({ dormant }) => dormant).map(({ id }) => id),
    models: distinct(steps.flatMap((step) => (callsModels(step) ? (step.ai_options?.model ?? []) : []))),
    hosts: distinct(
      steps.flatMap((step) =>
        step.type === 'external_api' ? (/^https?:\/\/([^/?#]+)/i.exec(step.api.url)?.[1] ?? []) : [],
      ),
    ),
    memoryKeys: distinct(steps.flatMap(({ output_to_memory: key }) => key ?? [])),
  }
}

/** Topological order; the order of the definition between independent steps. */
function inOrder({ nodes, byId }: Graph): string[] {
  const waitsFor = new Map(nodes.map(({ id, after }) => [id, after.size]))
  const next = new Map<string, string[]>(nodes.map(({ id }) => [id, []]))
  for (const { id, after } of nodes) for (const before of after) next.get(before)?.push(id)
  const ordered = nodes.filter(({ after }) => after.size === 0).map(({ id }) => id)
  for (const id of ordered) {
    for (const later of next.get(id) ?? []) {
      const left = (waitsFor.get(later) ?? 0) - 1
      waitsFor.set(later, left)
      if (left === 0) ordered.push(later)
    }
  }
  return ordered.filter((id) => byId.has(id))
}

type Paths = ReadonlyMap<string, { readonly length: number; readonly before: string | undefined }>

function longestOf(paths: Paths): string | undefined {
  let longest: string | undefined
  for (const [id, { length }] of paths) if (length > (paths.get(longest ?? '')?.length ?? 0)) longest = id
  return longest ?? [...paths.keys()][0]
}

function pathTo(end: string | undefined, paths: Paths): string[] {
  const path: string[] = []
  for (let id = end; id !== undefined; id = paths.get(id)?.before) path.unshift(id)
  return path
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)]
}
