import type { FlowDefinition } from '../definition/flow.ts'
import type { Branch } from '../definition/kinds/step-kind.ts'
import { allSteps } from '../definition/nested-steps.ts'
import {
  callsModels,
  childrenOf,
  isContainer,
  kindOf,
  type Step,
  type StepType,
  stepTypes,
} from '../definition/step-types.ts'
import { addStep, addSteps, createStepSet, hasStep, type StepSet } from './step-set.ts'

/** A step with its edges. */
export interface GraphNode {
  readonly id: string
  /** Its position in the definition, which orders steps that are ready together. */
  readonly position: number
  /** All steps that must end before it can start. */
  readonly after: ReadonlySet<string>
  /** Its `dependencies`, without steps whose failures it handles: their success does not lead to it. */
  readonly dependencies: ReadonlySet<string>
  /** Conditional and routing steps that may choose it. */
  readonly gates: ReadonlySet<string>
  /** Whether it names other steps and decides whether they run. */
  readonly decides: boolean
  /** Whether an agent chooses among its options, possibly none. */
  readonly routes: boolean
  /** Runs only when a routing step adds it, regardless of its dependencies. */
  readonly dormant: boolean
  /** Runs only while no other step runs. */
  readonly alone: boolean
}

export interface Graph {
  /** In the order of the definition. */
  readonly nodes: readonly GraphNode[]
  readonly byId: ReadonlyMap<string, GraphNode>
  readonly steps: ReadonlyMap<string, Step>
  /** Whether a step has `on_error`, so that `errors.ID` holds errors. */
  readonly handlesErrors: boolean
  /** All steps by id, with those inside containers. */
  readonly everyStep: ReadonlyMap<string, Step>
  /** The graph of the steps inside each container. */
  readonly nested: ReadonlyMap<string, Graph>
  /** The steps that come directly after a step. */
  readonly next: (id: string) => readonly GraphNode[]
  /** All steps before a step, transitively. */
  readonly before: (id: string) => StepSet
  /** Whether one step comes before another, transitively. */
  readonly isBefore: (earlier: string, later: string) => boolean
}

/**
 * Reads the graph of a definition. An edge leads to a step from
 *
 * | source                                                    | because                                        |
 * |-----------------------------------------------------------|------------------------------------------------|
 * | its `dependencies`                                        | it needs their outputs                         |
 * | a conditional that names it in an action                  | it must not start before the decision          |
 * | a routing step that adds it or continues with it          | it must not start before the decision          |
 * | the `add_steps` of an option that continues with it       | added steps run before the flow continues      |
 * | a step that names it in `on_error`                        | it must not start before the step has ended    |
 *
 * The definition must be valid: every name is known and there is no cycle.
 */
export function readGraph(steps: readonly Step[]): Graph {
  const edges = new Map(steps.map(({ id, dependencies = [] }) => [id, new Set(dependencies)]))
  const gates = new Map(steps.map(({ id }) => [id, new Set<string>()]))
  const dormant = new Set<string>()
  const branches = new Map(steps.map((step) => [step.id, branchesOf(step)]))
  const handlers = new Map(steps.map(({ id, on_error }) => [id, on_error]))
  for (const [id, ofStep] of branches) {
    for (const target of targetsOf(ofStep)) {
      edges.get(target)?.add(id)
      gates.get(target)?.add(id)
    }
    for (const { adds, next } of ofStep) {
      for (const { id: added } of adds) {
        dormant.add(added)
        if (next !== undefined && next.id !== added) edges.get(next.id)?.add(added)
      }
    }
  }
  const nodes = steps.map((step, position) => ({
    id: step.id,
    position,
    after: edges.get(step.id) ?? new Set<string>(),
    dependencies: new Set(step.dependencies?.filter((before) => handlers.get(before) !== step.id)),
    gates: gates.get(step.id) ?? new Set<string>(),
    decides: kindOf(step).traits.decides === 'always' || targetsOf(branches.get(step.id) ?? []).length > 0,
    routes: kindOf(step).traits.decides === 'by_agent' && decisionsOf(step).length > 0,
    dormant: dormant.has(step.id),
    alone: step.parallel_execution === false,
  }))
  const byStepId = new Map(steps.map((step) => [step.id, step]))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const hasContainers = steps.some(isContainer)
  const before = createAncestry(nodes, byId)
  return {
    nodes,
    byId,
    steps: byStepId,
    everyStep: hasContainers ? new Map(allSteps(steps).map((step) => [step.id, step])) : byStepId,
    handlesErrors: steps.some(({ on_error }) => on_error !== undefined),
    nested: new Map(steps.filter(isContainer).map((step) => [step.id, readGraph(childrenOf(step))])),
    next: createNext(nodes),
    before,
    isBefore(earlier, later) {
      const node = byId.get(earlier)
      return node !== undefined && hasStep(before(later), node.position)
    },
  }
}

/** The ways in which a step may continue; none: only along its edges. */
export function branchesOf(step: Step): readonly Branch[] {
  const decisions = decisionsOf(step)
  return step.on_error === undefined ? decisions : [...decisions, errorBranch(step.on_error)]
}

/** The branches among which a step that succeeds chooses. */
export function decisionsOf(step: Step): readonly Branch[] {
  return kindOf(step).branches?.(step) ?? []
}

function errorBranch(handler: string): Branch {
  return { label: () => 'on error', adds: [], next: { path: 'on_error', id: handler }, jumps: true }
}

/** The steps that a step with these branches may choose. */
export function targetsOf(branches: readonly Branch[]): string[] {
  return branches.flatMap(({ adds, next }) => [
    ...adds.map(({ id }) => id),
    ...(next === undefined ? [] : [next.id]),
  ])
}

function createNext(nodes: readonly GraphNode[]): Graph['next'] {
  const next = new Map<string, GraphNode[]>(nodes.map(({ id }) => [id, []]))
  for (const node of nodes) for (const before of node.after) next.get(before)?.push(node)
  return (id) => next.get(id) ?? []
}

/** Finds the steps before each step when they are first asked for. A dense graph takes no longer than reading it once. */
function createAncestry(nodes: readonly GraphNode[], byId: Graph['byId']): Graph['before'] {
  const known = new Map<string, StepSet>()

  function before(id: string): StepSet {
    const found = known.get(id)
    if (found !== undefined) return found
    const steps = createStepSet(nodes.length)
    for (const earlier of byId.get(id)?.after ?? []) {
      addSteps(steps, before(earlier))
      addStep(steps, byId.get(earlier)?.position ?? 0)
    }
    known.set(id, steps)
    return steps
  }

  return before
}

/** The structure of a flow. */
interface FlowGraph {
  /** With the steps inside containers. */
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

/**
 * Describes the graph of a valid flow; never throws for one. `weightOf` returns the duration of a step; by default all steps take the
 * same time.
 */
export function describeGraph(
  { steps }: Pick<FlowDefinition, 'steps'>,
  weightOf: (stepId: string) => number = () => 1,
): FlowGraph {
  const graph = readGraph(steps)
  const everyStep = allSteps(steps)
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
    totalSteps: everyStep.length,
    stepsByType: Object.fromEntries(
      stepTypes.map((type) => [type, everyStep.filter((step) => step.type === type).length]),
    ) as Record<StepType, number>,
    edges: edgesOf(steps),
    dependencies: Object.fromEntries(
      graph.nodes.filter(({ after }) => after.size > 0).map(({ id, after }) => [id, [...after]]),
    ),
    groups,
    criticalPath: pathTo(longestOf(paths), paths),
    onDemand: graph.nodes.filter(({ dormant }) => dormant).map(({ id }) => id),
    models: distinct(everyStep.flatMap((step) => (callsModels(step) ? (step.ai_options?.model ?? []) : []))),
    hosts: distinct(
      everyStep.flatMap(
        (step) =>
          kindOf(step)
            .originOf?.(step)
            ?.replace(/^https?:\/\//i, '') ?? [],
      ),
    ),
    memoryKeys: distinct(steps.flatMap(({ output_to_memory: key }) => key ?? [])),
  }
}

/** Topological order; the order of the definition between independent steps. */
function inOrder({ nodes, byId, next }: Graph): string[] {
  const waitsFor = new Map(nodes.map(({ id, after }) => [id, after.size]))
  const ordered = nodes.filter(({ after }) => after.size === 0).map(({ id }) => id)
  for (const id of ordered) {
    for (const { id: later } of next(id)) {
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

/** An edge between two steps, for drawing the flow. */
export interface Edge {
  readonly from: string
  readonly to: string
  /** `needs`: `to` depends on `from`. `chooses`: `from` decides whether `to` runs. `before`: `from` is an added step that runs first. */
  readonly kind: 'needs' | 'chooses' | 'before'
  /** The condition or option that chooses `to`; null for other kinds. */
  readonly label: string | null
}

/** The edges of a flow in the order of the definition: the same edges that `readGraph` uses, with kind and label. */
export function edgesOf(steps: readonly Step[]): Edge[] {
  return steps.flatMap((step) => [...needsOf(step), ...choicesOf(step)])
}

function needsOf({ id, dependencies = [] }: Step): Edge[] {
  return dependencies.map((from) => ({ from, to: id, kind: 'needs', label: null }))
}

function choicesOf(step: Step): Edge[] {
  return branchesOf(step).flatMap((branch) => edgesOfBranch(step.id, branch))
}

function edgesOfBranch(from: string, { label: describe, adds, next }: Branch): Edge[] {
  if (next === undefined && adds.length === 0) return []
  const label = describe()
  const added = adds.map(({ id: to }): Edge => ({ from, to, kind: 'chooses', label }))
  if (next === undefined) return added
  const before = adds
    .filter(({ id }) => id !== next.id)
    .map(({ id }): Edge => ({ from: id, to: next.id, kind: 'before', label: null }))
  return [...added, { from, to: next.id, kind: 'chooses', label }, ...before]
}
