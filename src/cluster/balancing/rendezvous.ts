import { createHash } from 'node:crypto'
import type { Candidate } from './strategies.ts'

const scoreBytes = 6
const scoreRange = 2 ** (8 * scoreBytes)

/**
 * The nodes in their order for a key, by weighted rendezvous hashing: stateless, in proportion to the weights, and when a node leaves only
 * its own keys move.
 */
function rankFor<Node extends Candidate>(nodes: readonly Node[], key: string): readonly Node[] {
  const scored = nodes.map((node) => {
    const digest = createHash('sha256').update(node.id).update('\0').update(key).digest()
    // Between 0 and 1, never one of them.
    const chance = (digest.readUIntBE(0, scoreBytes) + 0.5) / scoreRange
    return { node, score: node.weight / -Math.log(chance) }
  })
  return scored.toSorted((left, right) => right.score - left.score).map(({ node }) => node)
}

/** Requests per weight that a node of sessions or prefixes may always have: a few at once cost little. */
const freeRequests = 4
/** A home this many times busier than the others on average, per weight, sends its sessions elsewhere. */
const maxTimesOthers = 2

/** The home node of a session. Undefined when that node is much busier than the others, because a warm cache is not worth a long wait. */
export function findHome<Node extends Candidate>(nodes: readonly Node[], session: string): Node | undefined {
  const [home, ...others] = rankFor(nodes, session)
  if (home === undefined || others.length === 0) return home
  const average = sumOf(others, ({ load }) => load.active) / sumOf(others, ({ weight }) => weight)
  const perWeight = home.load.active / home.weight
  return perWeight > Math.max(freeRequests, average * maxTimesOthers) ? undefined : home
}

/** How far the requests of a node may exceed the average. */
const maxOverAverage = 1.25

/**
 * The first node in the order for a prefix that has fewer requests than its bound: a quarter more than its share of all requests by weight,
 * at least four per weight. There is always one, because the bounds add up to more than all requests.
 */
export function chooseByPrefix<Node extends Candidate>(
  nodes: readonly Node[],
  prefix: string,
): Node | undefined {
  const requests = sumOf(nodes, ({ load }) => load.active) + 1
  const weights = sumOf(nodes, ({ weight }) => weight)
  const isBelow = ({ load, weight }: Node) =>
    load.active < Math.max(freeRequests * weight, Math.ceil((maxOverAverage * requests * weight) / weights))
  return rankFor(nodes, prefix).find(isBelow)
}

function sumOf<Node>(nodes: readonly Node[], value: (node: Node) => number): number {
  return nodes.reduce((sum, node) => sum + value(node), 0)
}
