import type { Graph, GraphNode } from './graph.ts'

/** What a step decided about others. */
export type Choice =
  /** Goes on as drawn; of the steps it names, `next` alone. */
  | { readonly kind: 'continue'; readonly next?: string | undefined }
  /** Leaves out everything between here and `target`. */
  | { readonly kind: 'jump'; readonly target: string }
  /** Adds steps that would not run otherwise, and of those it could continue with chooses `next`. */
  | { readonly kind: 'route'; readonly added: readonly string[]; readonly next?: string | undefined }

type StepState = 'waiting' | 'running' | 'completed' | 'failed' | 'skipped'

export interface Skipped {
  readonly id: string
  readonly reason: string
}

/**
 * Where an execution stands, step by step. Pure: the same outcomes in the same order lead to the same place, so an execution
 * that is taken up again needs nothing but the outcomes it stored.
 *
 * | state     | on                                                                    | next                 |
 * |-----------|-----------------------------------------------------------------------|----------------------|
 * | waiting   | everything before it, however far, is over, and it is wanted          | ready (still waiting)|
 * | waiting   | everything before it is over, and it is not wanted; or jumped over    | skipped              |
 * | waiting   | started                                                               | running              |
 * | running   | its outcome                                                           | completed or failed  |
 * | running   | to be tried again                                                     | waiting              |
 *
 * A step is wanted
 *
 * | when it is                        | if                                                                                   |
 * |-----------------------------------|--------------------------------------------------------------------------------------|
 * | without anything before it        | always                                                                               |
 * | dormant                           | a routing step added it                                                              |
 * | named by conditionals or routing  | one of them chose it, or a step between them and it leads here                       |
 * |                                   | or routing that it depends on chose nothing to continue with                         |
 * | any other                         | a step before it leads here                                                          |
 *
 * A step leads to the next unless it was skipped, or comes before one that was skipped and that the next depends on as well: it
 * is needed then for what the skipped one would have made. A decision leads on in any case.
 */
export interface Plan {
  /** Steps that could begin now, in the order of the definition. One that runs alone keeps the others waiting. */
  ready(): readonly string[]
  start(id: string): void
  /** Takes an outcome, and answers the steps that will not run because of it. */
  finish(
    id: string,
    outcome: { readonly failed: boolean; readonly choice?: Choice | undefined },
  ): readonly Skipped[]
  /** Takes a running step back. */
  again(id: string): void
  stateOf(id: string): StepState
  /** Nothing runs and nothing will. */
  isOver(): boolean
}

export function createPlan(graph: Graph): Plan {
  const states = new Map<string, StepState>(graph.nodes.map(({ id }) => [id, 'waiting']))
  /** By whom each step was chosen. */
  const chosen = new Map<string, string>()
  /** Routing steps that are over and chose nothing to continue with: it goes on as drawn. */
  const open = new Set<string>()
  let running = 0

  const isOver = (id: string): boolean => {
    const state = states.get(id)
    return state === 'completed' || state === 'failed' || state === 'skipped'
  }
  const wasSkipped = (id: string): boolean => states.get(id) === 'skipped'
  /** A step that was jumped over is over before what comes before it; until that has decided, too, nothing after it may begin. */
  const isSettled = (id: string): boolean =>
    isOver(id) && (!wasSkipped(id) || [...(graph.byId.get(id)?.after ?? [])].every(isSettled))
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

  /** Skips what has become unwanted, as far as it goes. One pass is enough only when steps stand in the order of their edges. */
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
    if (undecided.length > 0) return `${undecided.map((gate) => `"${gate}"`).join(' and ')} chose another way`
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
      // Whoever wants to be alone waits for a quiet moment; those after it wait too, or it would never come.
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
    isOver: () => running === 0 && graph.nodes.every(({ id }) => isOver(id)),
  }
}
