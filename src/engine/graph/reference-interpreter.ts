import type { Step } from '../definition/step-types.ts'
import { readGraph } from './graph.ts'
import type { Choice } from './plan.ts'

/**
 * A second, simpler implementation of the plan, for tests: visits each step once, in the order of the definition, which must be a
 * topological one. `run` is called for each step that runs, and returns its choice.
 */
export function interpret(
  steps: readonly Step[],
  run: (id: string) => Choice | undefined,
): Record<string, 'ran' | 'skipped'> {
  const choices: Record<string, Choice | undefined> = {}
  const nodes = readGraph(steps).nodes
  const names = nodes.map(({ id }) => id)
  const after = (id: string) => [...(nodes.find((node) => node.id === id)?.after ?? [])]
  const comesAfter = (later: string, earlier: string): boolean =>
    after(later).some((before) => before === earlier || comesAfter(before, earlier))
  const choseNothing = (id: string): boolean => {
    const choice = choices[id]
    const routes = steps.some(
      (step) => step.id === id && step.type === 'ai_prompt' && step.agent_routing === true,
    )
    return (
      routes &&
      (choice === undefined ||
        choice.kind === 'jump' ||
        (choice.kind === 'route' && choice.next === undefined))
    )
  }
  const result: Record<string, 'ran' | 'skipped'> = {}
  const jumpedOver = new Set<string>()
  const chosen = new Set<string>()
  for (const node of nodes) {
    const { id, gates, dormant, decides: _decides } = node
    const skippedBefore = after(id).filter((before) => result[before] === 'skipped')
    const leadsHere = (before: string): boolean => {
      if (result[before] === 'skipped') return false
      const drawn = steps.find((step) => step.id === id)?.dependencies?.includes(before)
      const handles = steps.some((step) => step.id === before && step.on_error === id)
      if (gates.has(before)) return drawn === true && !handles && choseNothing(before)
      if (gates.size > 0 && ![...gates].some((gate) => comesAfter(before, gate))) return false
      if (nodes.some((other) => other.id === before && other.decides)) return true
      return !skippedBefore.some((skipped) => comesAfter(skipped, before))
    }
    const wanted = chosen.has(id) || (!dormant && (after(id).length === 0 || after(id).some(leadsHere)))
    result[id] = wanted && !jumpedOver.has(id) ? 'ran' : 'skipped'
    if (result[id] === 'skipped') continue
    const choice = run(id)
    choices[id] = choice
    if (choice === undefined) continue
    if (choice.kind === 'jump') {
      chosen.add(choice.target)
      for (const other of names) {
        const between = comesAfter(other, id) && other !== choice.target && !comesAfter(other, choice.target)
        if (between) jumpedOver.add(other)
      }
    } else {
      if (choice.next !== undefined) chosen.add(choice.next)
      if (choice.kind === 'route') for (const added of choice.added) chosen.add(added)
    }
  }
  return result
}
