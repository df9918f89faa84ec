import type { Candidate } from './candidate.ts'
import { createTurns } from './turns.ts'

export const strategyNames = ['round-robin', 'least-connections', 'least-latency', 'weighted'] as const

export type StrategyName = (typeof strategyNames)[number]

/** Chooses one of the nodes that could take a request. */
export type Strategy = <Node extends Candidate>(
  nodes: readonly Node[],
  request: { readonly model: string; readonly nowMs: number },
) => Node | undefined

/**
 * | strategy          | chooses                                                                                 |
 * |-------------------|-----------------------------------------------------------------------------------------|
 * | round-robin       | everybody in turn                                                                       |
 * | weighted          | everybody in turn, the heavier more often, smoothly                                     |
 * | least-connections | who works on the fewest requests for its weight; among equals as `weighted`             |
 * | least-latency     | who will begin its answer soonest: the time it lately took, for each request before it  |
 */
export function createStrategies(): Readonly<Record<StrategyName, Strategy>> {
  const inTurn = createTurns(() => 1)
  const byWeight = createTurns(({ weight }) => weight)
  const amongEqual = createTurns(({ weight }) => weight)
  return {
    'round-robin': (nodes) => inTurn(nodes),
    weighted: (nodes) => byWeight(nodes),
    'least-connections': (nodes) => amongEqual(withLeast(nodes, ({ load, weight }) => load.active / weight)),
    'least-latency': (nodes, { model, nowMs }) => {
      const waits = nodes.map(({ load }) => load.expectedWait.of(model, nowMs))
      // Of a node that has not been asked the best is hoped, so it is tried, but not by everybody at once.
      const hoped = Math.min(...waits.filter((wait) => wait !== undefined))
      const known = Number.isFinite(hoped)
      return amongEqual(
        withLeast(nodes, ({ load }, index) => (known ? (waits[index] ?? hoped) : 1) * (load.active + 1)),
      )
    },
  }
}

function withLeast<Node>(nodes: readonly Node[], costOf: (node: Node, index: number) => number): Node[] {
  let least = Number.POSITIVE_INFINITY
  let cheapest: Node[] = []
  nodes.forEach((node, index) => {
    const cost = costOf(node, index)
    if (cost > least) return
    if (cost < least) cheapest = []
    least = cost
    cheapest.push(node)
  })
  return cheapest
}
