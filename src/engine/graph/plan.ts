import type { Graph, GraphNode } from './graph.ts'
import { addStep, addSteps, createStepSet, hasStep, overlaps, type StepSet } from './step-set.ts'

/** The decision of a step about others. */
export type Choice =
  /** Continues along the edges; of the steps it names, only `next` runs. */
  | { readonly kind: 'continue'; readonly next?: string | undefined }
  /** Skips everything between this step and `target`. */
  | { readonly kind: 'jump'; readonly target: string }
  /** Adds steps that would not run otherwise, and chooses `next` among the steps it could continue with. */
  | { readonly kind: 'route'; readonly added: readonly string[]; readonly next?: string | undefined }

type StepState = 'waiting' | 'running' | 'completed' | 'failed' | 'skipped'

export interface Skipped {
  readonly id: string
  readonly reason: string
}

/**
 * The state of an execution, step by step. Pure: the same outcomes in the same order lead to the same state, so recovering an execution
 * needs nothing but its stored outcomes.
 *
 * | state     | on                                                                    | next                 |
 * |-----------|-----------------------------------------------------------------------|----------------------|
 * | waiting   | all steps before it, transitively, have ended, and it is wanted       | ready (still waiting)|
 * | waiting   | all steps before it have ended, and it is not wanted; or jumped over  | skipped              |
 * | waiting   | started                                                               | running              |
 * | running   | its outcome                                                           | completed or failed  |
 *
 * A step is wanted
 *
 * | when it is                        | if                                                                                   |
 * |-----------------------------------|--------------------------------------------------------------------------------------|
 * | without anything before it        | always                                                                               |
 * | dormant                           | a routing step added it                                                              |
 * | named by conditionals or routing  | one of them chose it, or a step between them and it leads here                       |
 * |                                   | or routing that it depends on chose no step to continue with                         |
 * | any other                         | a step before it leads here                                                          |
 *
 * A step leads to the next unless it was skipped, or comes before a skipped step that the next one depends on as well: it was only
 * needed by the skipped one. A decision always leads on.
 */
export interface Plan {
  /** Steps that may start now, in the order of the definition. An exclusive step blocks the others. */
  ready(): readonly string[]
  start(id: string): void
  /** Records an outcome. Returns the steps that are skipped because of it. */
  finish(
    id: string,
    outcome: { readonly failed: boolean; readonly choice?: Choice | undefined },
  ): readonly Skipped[]
  stateOf(id: string): StepState
  /** No step runs or will run. */
  isFinished(): boolean
}

export function createPlan(graph: Graph): Plan {
  const states = new Map<string, StepState>(graph.nodes.map(({ id }) => [id, 'waiting']))
  /** How many of the steps before each step are not settled. */
  const unsettledBefore = new Map(graph.nodes.map(({ id, after }) => [id, after.size]))
  /** A step that was jumped over has ended before the steps before it; until those have decided, no step after it may start. */
  const settled = new Set<string>()
  /** Waiting steps after settled ones only. They are wanted, since unwanted ones are skipped at once. */
  const due = new Set(graph.nodes.filter(({ after }) => after.size === 0))
  /** The steps that chose each step. */
  const chosen = new Map<string, string>()
  /** Routing steps that ended without choosing a step: the flow continues along its edges. */
  const open = new Set<string>()
  const running = new Set<string>()

  const isFinished = (id: string): boolean => {
    const state = states.get(id)
    return state === 'completed' || state === 'failed' || state === 'skipped'
  }
  const wasSkipped = (id: string): boolean => states.get(id) === 'skipped'
  const positionOf = (id: string): number => graph.byId.get(id)?.position ?? 0
  const isAlone = (id: string): boolean => graph.byId.get(id)?.alone === true

  /** Final as soon as all steps before the step are settled. */
  function isWanted(node: GraphNode): boolean {
    const { id, after, dormant, gates } = node
    if (chosen.has(id)) return true
    if (dormant) return false
    if (gates.size === 0 && ![...after].some(wasSkipped)) return true
    const decisions = createStepSet(graph.nodes.length)
    for (const gate of gates) addStep(decisions, positionOf(gate))
    const beforeSkipped = createStepSet(graph.nodes.length)
    for (const before of after) if (wasSkipped(before)) addSteps(beforeSkipped, graph.before(before))
    return [...after].some((before) => leadsTo(before, node, { decisions, beforeSkipped }))
  }

  /** `decisions`: the gates of the step. `beforeSkipped`: all steps before the skipped ones that it depends on. */
  function leadsTo(
    before: string,
    { dependencies, gates }: GraphNode,
    { decisions, beforeSkipped }: { readonly decisions: StepSet; readonly beforeSkipped: StepSet },
  ): boolean {
    if (wasSkipped(before)) return false
    if (gates.has(before)) return open.has(before) && dependencies.has(before)
    const isPastDecision = gates.size === 0 || overlaps(decisions, graph.before(before))
    const isDecision = graph.byId.get(before)?.decides === true
    return isPastDecision && (isDecision || !hasStep(beforeSkipped, positionOf(before)))
  }

  /**
   * Settles steps that have ended, and those after them, and skips the unwanted ones. Every edge is followed once in an execution.
   * Returns the skipped steps in the order of the definition.
   */
  function settle(ended: readonly string[]): Skipped[] {
    const skipped: GraphNode[] = []
    const toSettle = [...ended]
    for (let id = toSettle.pop(); id !== undefined; id = toSettle.pop()) {
      if (settled.has(id) || (wasSkipped(id) && unsettledBefore.get(id) !== 0)) continue
      settled.add(id)
      for (const node of graph.next(id)) {
        const left = (unsettledBefore.get(node.id) ?? 0) - 1
        unsettledBefore.set(node.id, left)
        if (left > 0) continue
        if (states.get(node.id) === 'waiting') {
          if (isWanted(node)) {
            due.add(node)
            continue
          }
          states.set(node.id, 'skipped')
          skipped.push(node)
        }
        if (isFinished(node.id)) toSettle.push(node.id)
      }
    }
    return skipped
      .sort((one, other) => one.position - other.position)
      .map((node) => ({ id: node.id, reason: whyUnwanted(node) }))
  }

  function whyUnwanted({ after, gates, dormant }: GraphNode): string {
    if (dormant) return 'no routing decision added it'
    const undecided = [...gates].filter((gate) => !wasSkipped(gate))
    if (undecided.length > 0)
      return `${undecided.map((gate) => `"${gate}"`).join(' and ')} chose another branch`
    return after.size === 1 ? 'the step before it was skipped' : 'all steps before it were skipped'
  }

  function take(from: string, choice: Choice): Skipped[] {
    if (choice.kind === 'route') for (const id of choice.added) chosen.set(id, from)
    const next = choice.kind === 'jump' ? choice.target : choice.next
    if (next !== undefined) chosen.set(next, from)
    if (choice.kind !== 'jump') return []
    const { target } = choice
    const jumpedOver = graph.nodes.filter(
      ({ id }) =>
        id !== target &&
        states.get(id) === 'waiting' &&
        graph.isBefore(from, id) &&
        !graph.isBefore(target, id),
    )
    return jumpedOver.map((node) => {
      states.set(node.id, 'skipped')
      due.delete(node)
      return { id: node.id, reason: `"${from}" jumped to "${target}"` }
    })
  }

  /** Sets the state of a step that does not wait any more. */
  function leaveDue(id: string, state: StepState): void {
    const node = graph.byId.get(id)
    if (node !== undefined) due.delete(node)
    states.set(id, state)
  }

  return {
    ready() {
      if ([...running].some(isAlone)) return []
      const inOrder = [...due].sort((one, other) => one.position - other.position)
      const [first] = inOrder
      if (running.size === 0 && first?.alone === true) return [first.id]
      // An exclusive step waits until no step runs; steps after it wait too, or it would never start.
      const quiet = inOrder.findIndex(({ alone }) => alone)
      return (quiet === -1 ? inOrder : inOrder.slice(0, quiet)).map(({ id }) => id)
    },
    start(id) {
      leaveDue(id, 'running')
      running.add(id)
    },
    finish(id, { failed, choice }) {
      running.delete(id)
      leaveDue(id, failed ? 'failed' : 'completed')
      const continues = choice !== undefined && choice.kind !== 'jump' && choice.next !== undefined
      if (graph.byId.get(id)?.routes === true && !continues) open.add(id)
      const jumpedOver = choice === undefined ? [] : take(id, choice)
      return [...jumpedOver, ...settle([id, ...jumpedOver.map((step) => step.id)])]
    },
    stateOf: (id) => states.get(id) ?? 'waiting',
    isFinished: () => running.size === 0 && graph.nodes.every(({ id }) => isFinished(id)),
  }
}
