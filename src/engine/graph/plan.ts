import type { Graph, GraphNode } from './graph.ts'

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
 * | running   | retried                                                               | waiting              |
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
  /** Sets a running step back to waiting. */
  again(id: string): void
  stateOf(id: string): StepState
  /** No step runs or will run. */
  isFinished(): boolean
}

export function createPlan(graph: Graph): Plan {
  const states = new Map<string, StepState>(graph.nodes.map(({ id }) => [id, 'waiting']))
  /** The steps that chose each step. */
  const chosen = new Map<string, string>()
  /** Routing steps that ended without choosing a step: the flow continues along its edges. */
  const open = new Set<string>()
  let running = 0

  const isFinished = (id: string): boolean => {
    const state = states.get(id)
    return state === 'completed' || state === 'failed' || state === 'skipped'
  }
  const wasSkipped = (id: string): boolean => states.get(id) === 'skipped'
  /** A step that was jumped over has ended before the steps before it; until those have decided, no step after it may start. */
  const isSettled = (id: string): boolean =>
    isFinished(id) && (!wasSkipped(id) || [...(graph.byId.get(id)?.after ?? [])].every(isSettled))
  const isDue = ({ id, after }: GraphNode): boolean =>
    states.get(id) === 'waiting' && [...after].every(isSettled)

  function isWanted(node: GraphNode): boolean {
    const { id, after, dormant } = node
    if (chosen.has(id)) return true
    if (dormant) return false
    if (after.size === 0) return true
    return [...after].some((before) => leadsTo(before, node))
  }

  function leadsTo(before: string, { after, dependencies, gates }: GraphNode): boolean {
    if (wasSkipped(before)) return false
    if (gates.has(before)) return open.has(before) && dependencies.has(before)
    const beyond = graph.downstream(before)
    const isPastDecision = gates.size === 0 || [...gates].some((gate) => graph.downstream(gate).has(before))
    const isDecision = graph.byId.get(before)?.decides === true
    return (
      isPastDecision && (isDecision || ![...after].some((other) => wasSkipped(other) && beyond.has(other)))
    )
  }

  /** Skips unwanted steps transitively. A single pass would only suffice if steps were in topological order. */
  function settle(): Skipped[] {
    const skipped: Skipped[] = []
    for (let found = true; found; ) {
      found = false
      for (const node of graph.nodes) {
        if (!isDue(node) || isWanted(node)) continue
        states.set(node.id, 'skipped')
        skipped.push({ id: node.id, reason: whyUnwanted(node) })
        found = true
      }
    }
    return skipped
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
    const beyond = graph.downstream(choice.target)
    const skipped: Skipped[] = []
    for (const id of graph.downstream(from)) {
      if (id === choice.target || beyond.has(id) || states.get(id) !== 'waiting') continue
      states.set(id, 'skipped')
      skipped.push({ id, reason: `"${from}" jumped to "${choice.target}"` })
    }
    return skipped
  }

  return {
    ready() {
      const due = graph.nodes.filter((node) => isDue(node))
      if (running === 0) {
        const [first] = due
        if (first?.alone === true) return [first.id]
      }
      if (graph.nodes.some(({ id, alone }) => alone && states.get(id) === 'running')) return []
      // An exclusive step waits until no step runs; steps after it wait too, or it would never start.
      const quiet = due.findIndex(({ alone }) => alone)
      return (quiet === -1 ? due : due.slice(0, quiet)).map(({ id }) => id)
    },
    start(id) {
      states.set(id, 'running')
      running += 1
    },
    finish(id, { failed, choice }) {
      if (states.get(id) === 'running') running -= 1
      states.set(id, failed ? 'failed' : 'completed')
      const continues = choice !== undefined && choice.kind !== 'jump' && choice.next !== undefined
      if (graph.byId.get(id)?.routes === true && !continues) open.add(id)
      return [...(choice === undefined ? [] : take(id, choice)), ...settle()]
    },
    again(id) {
      states.set(id, 'waiting')
      running -= 1
    },
    stateOf: (id) => states.get(id) ?? 'waiting',
    isFinished: () => running === 0 && graph.nodes.every(({ id }) => isFinished(id)),
  }
}
