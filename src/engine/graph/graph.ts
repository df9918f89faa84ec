import type { Action } from '../definition/conditions.ts'
import type { Step } from '../definition/step-types.ts'

/** A step with its edges. */
export interface GraphNode {
  readonly id: string
  /** Its position in the definition, which orders steps that are ready together. */
  readonly position: number
  /** All steps that must end before it can start. */
  readonly after: ReadonlySet<string>
  /** Its `dependencies`. */
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
  /** All steps after this one, transitively. */
  readonly downstream: (id: string) => ReadonlySet<string>
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
 *
 * The definition must be valid: every name is known and there is no cycle.
 */
export function readGraph(steps: readonly Step[]): Graph {
  const edges = new Map(steps.map(({ id, dependencies = [] }) => [id, new Set(dependencies)]))
  const gates = new Map(steps.map(({ id }) => [id, new Set<string>()]))
  const dormant = new Set<string>()
  for (const step of steps) {
    for (const target of targetsOf(step)) {
      edges.get(target)?.add(step.id)
      gates.get(target)?.add(step.id)
    }
    for (const { add_steps = [], continue_to } of routingOptionsOf(step)) {
      for (const added of add_steps) {
        dormant.add(added)
        if (continue_to !== undefined && continue_to !== added) edges.get(continue_to)?.add(added)
      }
    }
  }
  const nodes = steps.map((step, position) => ({
    id: step.id,
    position,
    after: edges.get(step.id) ?? new Set<string>(),
    dependencies: new Set(step.dependencies),
    gates: gates.get(step.id) ?? new Set<string>(),
    decides: step.type === 'conditional' || targetsOf(step).length > 0,
    routes: routingOptionsOf(step).length > 0,
    dormant: dormant.has(step.id),
    alone: step.parallel_execution === false,
  }))
  return {
    nodes,
    byId: new Map(nodes.map((node) => [node.id, node])),
    steps: new Map(steps.map((step) => [step.id, step])),
    downstream: createDownstream(nodes),
  }
}

/** The steps that this one may choose. */
export function targetsOf(step: Step): string[] {
  if (step.type === 'conditional') {
    const actions = [...step.conditions.map(({ action }) => action), step.default_action]
    return actions.flatMap((action) => (action === undefined ? [] : (targetOf(action) ?? [])))
  }
  return routingOptionsOf(step).flatMap(({ add_steps = [], continue_to }) => [
    ...add_steps,
    ...(continue_to === undefined ? [] : [continue_to]),
  ])
}

function targetOf({ type, next_step, target_step }: Action): string | undefined {
  return type === 'jump_to_step' ? target_step : next_step
}

function routingOptionsOf(step: Step) {
  return step.type === 'ai_prompt' ? Object.values(step.routing_options ?? {}) : []
}

function createDownstream(nodes: readonly GraphNode[]): Graph['downstream'] {
  const next = new Map<string, string[]>(nodes.map(({ id }) => [id, []]))
  for (const { id, after } of nodes) for (const before of after) next.get(before)?.push(id)
  const known = new Map<string, ReadonlySet<string>>()
  return (id) => {
    const before = known.get(id)
    if (before !== undefined) return before
    const reached = new Set<string>()
    const toVisit = [...(next.get(id) ?? [])]
    for (let step = toVisit.pop(); step !== undefined; step = toVisit.pop()) {
      if (reached.has(step)) continue
      reached.add(step)
      toVisit.push(...(next.get(step) ?? []))
    }
    known.set(id, reached)
    return reached
  }
}
