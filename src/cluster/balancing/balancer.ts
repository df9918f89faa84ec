import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { NodeRegistry } from '../nodes/registry.ts'
import type { TrackedNode } from '../nodes/tracked-node.ts'
import { type Candidate, createStrategies, type StrategyName } from './strategies.ts'

/** The requirements of a request for its node. */
export interface NodeRequirements {
  /** By canonical name. */
  readonly model: string
  /** The model as the caller wrote it. */
  readonly modelAsGiven: string
  /** Overrides the configured strategy. */
  readonly strategy?: StrategyName | undefined
  /** Requests of one session go to one node, where its context is still in memory. */
  readonly session?: string | undefined
  /** Only this node. */
  readonly node?: string | undefined
}

type Choice =
  | { readonly kind: 'node'; readonly node: TrackedNode }
  /** Every suitable node is at its concurrency limit. */
  | { readonly kind: 'busy' }
  /** No suitable node is left. */
  | { readonly kind: 'none' }

export interface Balancer {
  strategy: StrategyName
  choose(requirements: NodeRequirements, tried?: ReadonlySet<TrackedNode>): Choice
}

interface BalancerOptions {
  readonly registry: NodeRegistry
  readonly strategy: StrategyName
  /** Concurrent requests of one node. */
  readonly nodeConcurrency: number
}

const none: Choice = { kind: 'none' }
const busy: Choice = { kind: 'busy' }

/** Narrows the nodes: healthy with the model → free slot → model in memory → home of the session → strategy. */
export function createBalancer({ registry, strategy, nodeConcurrency }: BalancerOptions): Balancer {
  const strategies = createStrategies()
  const balancer: Balancer = {
    strategy,
    choose(requirements, tried) {
      const { model, session, node: only } = requirements
      let suitable = 0
      const free: TrackedNode[] = []
      const loaded: TrackedNode[] = []
      for (const node of registry.tracked) {
        if (!node.isReady || !node.has(model) || tried?.has(node) === true) continue
        if (only !== undefined && node.id !== only) continue
        suitable += 1
        // A retried request has waited in the queue before and does not wait again.
        if (tried === undefined && node.load.active >= nodeConcurrency) continue
        free.push(node)
        if (node.hasLoaded(model)) loaded.push(node)
      }
      if (free.length === 0) return suitable === 0 ? none : busy
      const nodes = loaded.length > 0 ? loaded : free
      const home = session === undefined ? undefined : findHome(nodes, session)
      const choose = strategies[requirements.strategy ?? balancer.strategy]
      const node = home ?? choose(nodes, { model, nowMs: performance.now() })
      return node === undefined ? none : { kind: 'node', node }
    },
  }
  return balancer
}

/** A home this many times busier than the others on average sends its sessions elsewhere. */
const maxTimesOthers = 2
const minBusyRequests = 4

/**
 * The home node of a session by rendezvous hashing: stateless, and when a node leaves only its own sessions move. Undefined when
 * that node is much busier than the others, because a warm cache is not worth a long wait.
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
  const isBusy = nodes.length > 1 && home.load.active > Math.max(minBusyRequests, average * maxTimesOthers)
  return isBusy ? undefined : home
}
