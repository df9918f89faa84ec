import type { FlowDefinition } from '../definition/flow.ts'
import { asksModels, type StepType, stepTypes } from '../definition/step-types.ts'
import { type Graph, readGraph } from '../graph/graph.ts'

/** How a flow is built, for people. */
export interface FlowShape {
  readonly totalSteps: number
  readonly stepsByType: Readonly<Record<StepType, number>>
  /** What each step waits for: its dependencies and whoever decides about it. Steps that wait for nothing are left out. */
  readonly dependencies: Readonly<Record<string, readonly string[]>>
  /** Steps by how many others must come before them; those of one group can run side by side. */
  readonly groups: readonly (readonly string[])[]
  /** The way through the flow that takes longest. */
  readonly criticalPath: readonly string[]
  /** Steps that run only when an agent adds them. */
  readonly onDemand: readonly string[]
  /** Models that are named, without those of the default chain. */
  readonly models: readonly string[]
  /** Hosts that are called. */
  readonly hosts: readonly string[]
  readonly memoryKeys: readonly string[]
}

/** Reads the shape of a flow that was checked. `weightOf` says how long a step takes; without it they count alike. */
export function describeGraph(
  { steps }: Pick<FlowDefinition, 'steps'>,
  weightOf: (stepId: string) => number = () => 1,
): FlowShape {
  const graph = readGraph(steps)
  const groups: string[][] = []
  const depth = new Map<string, number>()
  /** The longest way to each step, its own weight included, and the step before it on that way. */
  const ways = new Map<string, { readonly length: number; readonly before: string | undefined }>()
  for (const id of inOrder(graph)) {
    const after = [...(graph.byId.get(id)?.after ?? [])]
    const level = Math.max(-1, ...after.map((before) => depth.get(before) ?? 0)) + 1
    depth.set(id, level)
    ;(groups[level] ??= []).push(id)
    const longest = after.reduce<string | undefined>(
      (best, before) =>
        best === undefined || (ways.get(before)?.length ?? 0) > (ways.get(best)?.length ?? 0) ? before : best,
      undefined,
    )
    ways.set(id, { length: (ways.get(longest ?? '')?.length ?? 0) + weightOf(id), before: longest })
  }
  return {
    totalSteps: steps.length,
    stepsByType: Object.fromEntries(
      stepTypes.map((type) => [type, steps.filter((step) => step.type === type).length]),
    ) as Record<StepType, number>,
    dependencies: Object.fromEntries(
      graph.nodes.filter(({ after }) => after.size > 0).map(({ id, after }) => [id, [...after]]),
    ),
    groups,
    criticalPath: wayTo(longestOf(ways), ways),
    onDemand: graph.nodes.filter(({ dormant }) => dormant).map(({ id }) => id),
    models: distinct(steps.flatMap((step) => (asksModels(step) ? (step.ai_options?.model ?? []) : []))),
    hosts: distinct(
      steps.flatMap((step) =>
        step.type === 'external_api' ? (/^https?:\/\/([^/?#]+)/i.exec(step.api.url)?.[1] ?? []) : [],
      ),
    ),
    memoryKeys: distinct(steps.flatMap(({ output_to_memory: key }) => key ?? [])),
  }
}

/** Every step after all that come before it; the order of the definition where that is left open. */
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

type Ways = ReadonlyMap<string, { readonly length: number; readonly before: string | undefined }>

function longestOf(ways: Ways): string | undefined {
  let longest: string | undefined
  for (const [id, { length }] of ways) if (length > (ways.get(longest ?? '')?.length ?? 0)) longest = id
  return longest ?? [...ways.keys()][0]
}

function wayTo(end: string | undefined, ways: Ways): string[] {
  const way: string[] = []
  for (let id = end; id !== undefined; id = ways.get(id)?.before) way.unshift(id)
  return way
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)]
}
