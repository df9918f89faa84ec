import type { Problem } from '#kernel/errors'
import { type GraphNode, readGraph } from '../graph/graph.ts'
import { createAncestry } from './ancestry.ts'
import type { FlowDefinition } from './flow.ts'
import type { Step } from './step-types.ts'

/**
 * Steps that no execution can come to, whatever is decided.
 *
 * | a step can run when                                                                     |
 * |-----------------------------------------------------------------------------------------|
 * | nothing comes before it, and no routing option has to add it                            |
 * | a decision that can run chooses it, and decisions of that kind are not switched off     |
 * | a step that can run leads to it: no decision between that does not choose it, and not a |
 * | conditional whose every action jumps past it                                            |
 */
export function findUnreachable({ steps, global_configuration }: FlowDefinition): Problem[] {
  const graph = readGraph(steps)
  const isBefore = createAncestry(graph)
  const byId = new Map(steps.map((step) => [step.id, step]))
  const routes = global_configuration?.agent_routing_enabled !== false
  const isAgent = (id: string): boolean => byId.get(id)?.type === 'ai_prompt'
  const known = new Map<string, boolean>()

  function canRun(id: string): boolean {
    const before = known.get(id)
    if (before !== undefined) return before
    const node = graph.byId.get(id)
    const answer = node !== undefined && (isEntry(node) || isChosen(node) || isLedTo(node))
    known.set(id, answer)
    return answer
  }

  function isChosen({ gates }: GraphNode): boolean {
    return [...gates].some((gate) => (routes || !isAgent(gate)) && canRun(gate))
  }

  function isLedTo(node: GraphNode): boolean {
    return !node.dormant && [...node.after].some((before) => leads(before, node) && canRun(before))
  }

  function leads(before: string, { id, gates }: GraphNode): boolean {
    if (gates.has(before)) return false
    const isPastDecision = gates.size === 0 || [...gates].some((gate) => isBefore(gate, before))
    return isPastDecision && !jumpsPast(byId.get(before), id, isBefore)
  }

  function why({ id }: Step): string {
    const { dormant = false, gates = new Set<string>() } = graph.byId.get(id) ?? {}
    const onlyByAgents = dormant || (gates.size > 0 && [...gates].every(isAgent))
    return !routes && onlyByAgents
      ? `"${id}" can never run: only agents choose it, and agent_routing_enabled is false`
      : `"${id}" can never run: nothing that can run leads to it`
  }

  return steps.flatMap((step, index) =>
    canRun(step.id) ? [] : [{ path: `steps[${index}]`, message: why(step), code: 'unreachable' }],
  )
}

function isEntry({ after, dormant }: GraphNode): boolean {
  return after.size === 0 && !dormant
}

/** Whether each action of a conditional leaves the step out. */
function jumpsPast(
  step: Step | undefined,
  id: string,
  isBefore: (earlier: string, later: string) => boolean,
): boolean {
  if (step?.type !== 'conditional' || step.default_action === undefined) return false
  const actions = [...step.conditions.map(({ action }) => action), step.default_action]
  return actions.every(
    ({ type, target_step: target = '' }) => type === 'jump_to_step' && target !== id && !isBefore(target, id),
  )
}
