import { chooseByPrefix } from './rendezvous.ts'

/** The fields of a node that strategies compare. */
export interface Candidate {
  readonly id: string
  readonly weight: number
  readonly load: {
    /** Running requests. */
    readonly active: number
    readonly expectedWait: {
      /** Recent time to first byte with this model; undefined before the first request. */
      of(model: string, nowMs: number): number | undefined
    }
  }
}

export const strategyNames = [
  'round-robin',
  'least-connections',
  'least-latency',
  'weighted',
  'prefix-affinity',
] as const

export type StrategyName = (typeof strategyNames)[number]

/** Whether the strategy distributes requests by the weights of the nodes. */
export function usesWeights(strategy: StrategyName): boolean {
  return strategy !== 'round-robin'
}

/** Chooses one of the nodes that could take a request. */
export type Strategy = <Node extends Candidate>(
  nodes: readonly Node[],
  request: {
    readonly model: string
    readonly nowMs: number
    /** The hash of the start of the prompt, for `prefix-affinity`. */
    readonly prefix?: string | undefined
  },
) => Node | undefined

/**
 * | strategy          | chooses                                                                                 |
 * |-------------------|-----------------------------------------------------------------------------------------|
 * | round-robin       | each node in turn                                                                       |
 * | weighted          | each node in turn, in proportion to its weight, evenly spread                           |
 * | least-connections | the node with the fewest requests per weight; ties as `weighted`                        |
 * | least-latency     | the node with the shortest expected time to first byte: recent latency × requests per   |
 * |                   | weight, with the new one                                                                |
 * | prefix-affinity   | the node of the start of the prompt, by consistent hashing with bounded loads           |
 * |                   | (`chooseByPrefix`); `least-connections` for requests without a prompt                   |
 *
 * Weights have no effect under round-robin, apart from the limit of nodes with the model in memory (`spillOver`).
 */
export function createStrategies(): Readonly<Record<StrategyName, Strategy>> {
  const inTurn = createTurns(() => 1)
  const byWeight = createTurns(({ weight }) => weight)
  const amongEqual = createTurns(({ weight }) => weight)
  const leastConnections: Strategy = (nodes) =>
    amongEqual(withLeast(nodes, ({ load, weight }) => load.active / weight))
  return {
    'round-robin': (nodes) => inTurn(nodes),
    weighted: (nodes) => byWeight(nodes),
    'least-connections': leastConnections,
    'prefix-affinity': (nodes, request) =>
      request.prefix === undefined ? leastConnections(nodes, request) : chooseByPrefix(nodes, request.prefix),
    'least-latency': (nodes, { model, nowMs }) => {
      const waits = nodes.map(({ load }) => load.expectedWait.of(model, nowMs))
      // An unknown latency counts as the best one, so that new nodes are tried, but not by all requests at once.
      const hoped = Math.min(...waits.filter((wait) => wait !== undefined))
      const known = Number.isFinite(hoped)
      return amongEqual(
        withLeast(
          nodes,
          ({ load, weight }, index) => (known ? (waits[index] ?? hoped) : 1) * ((load.active + 1) / weight),
        ),
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

/** Chooses each node in turn. */
type Turns = <Node extends Candidate>(nodes: readonly Node[]) => Node | undefined

/**
 * Smooth weighted round-robin: with weights 5, 1, 1 the first node gets five of seven turns, but never five in a row. In
 * each round every candidate gains its weight, and the one with the highest sum is chosen and loses the total. The
 * candidates may differ each time.
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
