import type { Candidate } from './candidate.ts'

/** Gives everybody a turn. */
export type Turns = <Node extends Candidate>(nodes: readonly Node[]) => Node | undefined

/**
 * Smooth turns: with weights 5, 1, 1 the heavy one gets five of seven turns, but never five in a row. Each round everybody
 * gains its weight, the richest is chosen and pays what all gained together. Who may be chosen can differ each time.
 */
export function createTurns(weightOf: (node: Candidate) => number): Turns {
  const savings = new WeakMap<Candidate, number>()
  return (nodes) => {
    let total = 0
    let best = nodes[0]
    let most = Number.NEGATIVE_INFINITY
    for (const node of nodes) {
      const weight = weightOf(node)
      const saved = (savings.get(node) ?? 0) + weight
      savings.set(node, saved)
      total += weight
      if (saved > most) {
        most = saved
        best = node
      }
    }
    if (best !== undefined) savings.set(best, most - total)
    return best
  }
}
