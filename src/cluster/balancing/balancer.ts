import { performance } from 'node:perf_hooks'
import type { NodeRegistry } from '../nodes/registry.ts'
import type { TrackedNode } from '../nodes/tracked-node.ts'
import { findHome } from './affinity.ts'
import { createStrategies, type StrategyName } from './strategies.ts'

/** What a request wants of the node that takes it. */
export interface Wish {
  /** By canonical name. */
  readonly model: string
  /** The model as the caller wrote it. */
  readonly modelAsGiven: string
  /** Instead of the one in force. */
  readonly strategy?: StrategyName | undefined
  /** Requests of one session go to one node, where its context is still in memory. */
  readonly session?: string | undefined
  /** This node or none. */
  readonly node?: string | undefined
}

type Choice =
  | { readonly kind: 'node'; readonly node: TrackedNode }
  /** Those who could take it have their hands full. */
  | { readonly kind: 'busy' }
  /** Nobody who could take it is left. */
  | { readonly kind: 'nobody' }

export interface Balancer {
  strategy: StrategyName
  choose(wish: Wish, tried?: ReadonlySet<TrackedNode>): Choice
}

interface BalancerOptions {
  readonly registry: NodeRegistry
  readonly strategy: StrategyName
  /** Requests a node works on at once. */
  readonly nodeConcurrency: number
}

const nobody: Choice = { kind: 'nobody' }
const busy: Choice = { kind: 'busy' }

/** Healthy and has the model → has a hand free → has it in memory → home of the session → strategy. */
export function createBalancer({ registry, strategy, nodeConcurrency }: BalancerOptions): Balancer {
  const strategies = createStrategies()
  const balancer: Balancer = {
    strategy,
    choose(wish, tried) {
      const { model, session, node: only } = wish
      let able = 0
      const free: TrackedNode[] = []
      const loaded: TrackedNode[] = []
      for (const node of registry.tracked) {
        if (!node.isReady || !node.has(model) || tried?.has(node) === true) continue
        if (only !== undefined && node.id !== only) continue
        able += 1
        // Who has been tried elsewhere has waited its turn, and does not wait again.
        if (tried === undefined && node.load.active >= nodeConcurrency) continue
        free.push(node)
        if (node.hasLoaded(model)) loaded.push(node)
      }
      if (free.length === 0) return able === 0 ? nobody : busy
      const nodes = loaded.length > 0 ? loaded : free
      const home = session === undefined ? undefined : findHome(nodes, session)
      const choose = strategies[wish.strategy ?? balancer.strategy]
      const node = home ?? choose(nodes, { model, nowMs: performance.now() })
      return node === undefined ? nobody : { kind: 'node', node }
    },
  }
  return balancer
}
