/** The fields of a node that strategies compare. */
export interface Candidate {
  readonly id: string
  readonly weight: number
  readonly load: {
    /** Requests it is working on. */
    readonly active: number
    readonly expectedWait: {
      /** How long it lately took to begin its answers with this model; undefined when it has not been asked. */
      of(model: string, nowMs: number): number | undefined
    }
  }
}

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

/** Gives everybody a turn. */
type Turns = <Node extends Candidate>(nodes: readonly Node[]) => Node | undefined

/**
 * Smooth turns: with weights 5, 1, 1 the heavy one gets five of seven turns, but never five in a row. Each round everybody
 * gains its weight, the richest is chosen and pays what all gained together. Who may be chosen can differ each time.
 */
function createTurns(weightOf: (node: Candidate) => number): Turns {
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
