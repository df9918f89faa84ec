import { createHash } from 'node:crypto'
import type { Candidate } from './candidate.ts'

/** A home this many times busier than the others on average sends its sessions elsewhere. */
const mostTimesOthers = 2
const alwaysFine = 4

/**
 * The node a session belongs to: the same for the same nodes, without anything being remembered, and when a node goes only
 * its own sessions move. Undefined when that node is much busier than the others: a warm cache is not worth any wait.
 */
export function findHome<Node extends Candidate>(nodes: readonly Node[], session: string): Node | undefined {
  let home: Node | undefined
  let highest = ''
  for (const node of nodes) {
    const score = createHash('sha256').update(node.id).update('\0').update(session).digest('hex')
    if (score > highest) {
      highest = score
      home = node
    }
  }
  if (home === undefined) return undefined
  const others = nodes.reduce((sum, { load }) => sum + load.active, 0) - home.load.active
  const average = others / Math.max(1, nodes.length - 1)
  const isBusy = nodes.length > 1 && home.load.active > Math.max(alwaysFine, average * mostTimesOthers)
  return isBusy ? undefined : home
}
