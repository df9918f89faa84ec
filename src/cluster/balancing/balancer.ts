import { performance } from 'node:perf_hooks'
import type { NodeRegistry } from '../nodes/registry.ts'
import { isNative } from '../nodes/runtime.ts'
import type { TrackedNode } from '../nodes/tracked-node.ts'
import { prefixOf } from './prompt-prefix.ts'
import { findHome } from './rendezvous.ts'
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
  /** The hash of the start of the prompt, for `prefix-affinity`. */
  readonly prefix?: string | undefined
  /** Only this node. */
  readonly node?: string | undefined
  /** Nodes with the native API come first: the request has fields that cannot be translated. */
  readonly prefersNative?: boolean | undefined
  /** Only nodes that this accepts. */
  readonly suits?: ((node: TrackedNode) => boolean) | undefined
}

type Choice =
  | { readonly kind: 'node'; readonly node: TrackedNode }
  /** Every suitable node is at its concurrency limit. */
  | { readonly kind: 'busy' }
  /** No suitable node is left. */
  | { readonly kind: 'none' }

interface PrefixedRequest {
  readonly path: string
  readonly model: string
  /** The parsed body. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly strategy: StrategyName | undefined
}

export interface Balancer {
  strategy: StrategyName
  choose(requirements: NodeRequirements, tried?: ReadonlySet<TrackedNode>): Choice
  /** The prefix of a request, if its strategy needs one. */
  prefixOf(request: PrefixedRequest): string | undefined
}

interface BalancerOptions {
  readonly registry: NodeRegistry
  readonly strategy: StrategyName
  /** Concurrent requests of one node; fewer if the node reports fewer. */
  readonly nodeConcurrency: number
  /** Requests of a node with the model in memory, per weight, from which other nodes get requests as well. */
  readonly loadedLimit: number
}

const none: Choice = { kind: 'none' }
const busy: Choice = { kind: 'busy' }

/** Narrows the nodes: healthy with the model → free slot → model in memory → home of the session → strategy. */
export function createBalancer({
  registry,
  strategy,
  nodeConcurrency,
  loadedLimit,
}: BalancerOptions): Balancer {
  const strategies = createStrategies()
  const hasSlot = ({ load, maxConcurrency }: TrackedNode) =>
    load.active < Math.min(nodeConcurrency, maxConcurrency ?? nodeConcurrency)
  const balancer: Balancer = {
    strategy,
    choose(requirements, tried) {
      const { model, session, prefix } = requirements
      let suitable = registry.tracked.filter((node) => isSuitable(node, requirements, tried))
      if (requirements.prefersNative === true) {
        const native = suitable.filter(({ runtime }) => isNative(runtime))
        if (native.length > 0) suitable = native
      }
      // A retried request has waited in the queue before and does not wait again.
      const free = tried === undefined ? suitable.filter(hasSlot) : suitable
      const loaded = free.filter((node) => node.hasLoaded(model))
      if (free.length === 0) return suitable.length === 0 ? none : busy
      const nodes = loaded.length > 0 ? spillOver(loaded, free, loadedLimit) : free
      const home = session === undefined ? undefined : findHome(nodes, session)
      const choose = strategies[requirements.strategy ?? balancer.strategy]
      const node = home ?? choose(nodes, { model, nowMs: performance.now(), prefix })
      return node === undefined ? none : { kind: 'node', node }
    },
    prefixOf: ({ path, model, fields, strategy: wanted }) =>
      (wanted ?? balancer.strategy) === 'prefix-affinity' ? prefixOf(path, model, fields) : undefined,
  }
  return balancer
}

function isSuitable(
  node: TrackedNode,
  { model, node: only, suits }: NodeRequirements,
  tried: ReadonlySet<TrackedNode> | undefined,
): boolean {
  if (!node.isReady || !node.has(model) || tried?.has(node) === true) return false
  return (only === undefined || node.id === only) && suits?.(node) !== false
}

/**
 * | nodes with the model in memory | other nodes             | candidates                               |
 * |--------------------------------|-------------------------|------------------------------------------|
 * | some below the limit           | any                     | those with the model, below the limit    |
 * | all at the limit               | some below the limit    | those others: one loads the model        |
 * | all at the limit               | all at the limit        | all nodes                                |
 */
export function spillOver<Node extends Candidate>(
  loaded: readonly Node[],
  free: readonly Node[],
  limit: number,
): readonly Node[] {
  const isBelow = ({ load, weight }: Node) => load.active < limit * weight
  const preferred = loaded.filter(isBelow)
  if (preferred.length > 0) return preferred
  const others = free.filter(isBelow)
  return others.length > 0 ? others : free
}
