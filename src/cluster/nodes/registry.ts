import { performance } from 'node:perf_hooks'
import type { Logger } from '#kernel/telemetry'
import { type ChangeFeed, createChangeFeed } from './change-feed.ts'
import type { HealthRules, RequestObservation } from './health.ts'
import { type NodeAddress, type NodeSource, nodeId } from './node-address.ts'
import type { NodeRecord } from './node-record.ts'
import { createTrackedNode, type TrackedNode } from './tracked-node.ts'

/** Observes the set of nodes. */
interface NodeWatcher {
  added(node: TrackedNode): void
  removed(node: TrackedNode): void
  /** The state of the node changed for another reason than a probe. */
  disturbed(node: TrackedNode): void
  /** A request needs the current state of a watched address. */
  wanted?(node: TrackedNode): void
}

/** The watched addresses, and the subset of them that are nodes. */
export interface NodeRegistry {
  readonly tracked: readonly TrackedNode[]
  readonly changes: ChangeFeed
  records(): readonly NodeRecord[]
  find(id: string): TrackedNode | undefined
  /** Changes a node through `act` and publishes a visible difference to the feed. */
  update(node: TrackedNode, act: () => void): void
  /** Applies the result of a request. */
  report(node: TrackedNode, observation: RequestObservation, error?: string): void
  /** An operator adds an address. A known address keeps its measurements. */
  add(address: NodeAddress): TrackedNode
  /** A source adds an address. Ignored if an operator removed that node. */
  announce(address: NodeAddress): void
  /** A source drops this node; it is removed when no source is left. */
  release(id: string, source: NodeSource): void
  /** Removes a node for an operator: no source can add it again until an operator does. */
  remove(node: TrackedNode): void
  watchWith(watcher: NodeWatcher): void
}

interface RegistryOptions {
  readonly addresses: readonly NodeAddress[]
  readonly rules: HealthRules
  readonly log: Logger
}

/** Pods get new addresses all the time, so the number of remembered nodes is limited. */
const maxRemembered = 256

export function createNodeRegistry({ addresses, rules, log }: RegistryOptions): NodeRegistry {
  let tracked: readonly TrackedNode[] = addresses.map((address) => createTrackedNode(address, rules))
  const watchers: NodeWatcher[] = []
  const departed = new Map<string, TrackedNode>()
  const sentAway = new Set<string>()
  const records = () => tracked.flatMap(({ record }) => record ?? [])
  const changes = createChangeFeed({ log, nodes: records })
  const find = (id: string) => tracked.find((node) => node.id === id)

  function update(node: TrackedNode, act: () => void): void {
    const before = node.record
    act()
    const after = node.record
    if (after === undefined) {
      if (before !== undefined) changes.publish({ kind: 'removed', node: before })
    } else if (before === undefined || publishedFields(before) !== publishedFields(after)) {
      changes.publish({ kind: 'changed', node: after, before })
    }
  }

  function admit(address: NodeAddress): TrackedNode {
    const id = nodeId(address.url)
    const returning = departed.get(id)
    departed.delete(id)
    const node = returning ?? createTrackedNode(address, rules)
    node.join(address)
    tracked = [...tracked, node]
    if (node.record !== undefined) changes.publish({ kind: 'changed', node: node.record, before: undefined })
    for (const watcher of watchers) watcher.added(node)
    return node
  }

  function welcome(address: NodeAddress): TrackedNode {
    const known = find(nodeId(address.url))
    if (known === undefined) return admit(address)
    const wasNode = known.record !== undefined
    update(known, () => known.join(address))
    if (!wasNode) for (const watcher of watchers) watcher.wanted?.(known)
    return known
  }

  function dismiss(node: TrackedNode): void {
    const { record } = node
    tracked = tracked.filter((other) => other !== node)
    node.retire()
    departed.set(node.id, node)
    const [oldest] = departed.keys()
    if (departed.size > maxRemembered && oldest !== undefined) departed.delete(oldest)
    if (record !== undefined) changes.publish({ kind: 'removed', node: record })
    for (const watcher of watchers) watcher.removed(node)
  }

  return {
    get tracked() {
      return tracked
    },
    changes,
    records,
    find,
    update,
    report(node, observation, error) {
      update(node, () => node.observeRequest(observation, error ?? null, performance.now()))
      if (node.health.status !== 'healthy') for (const watcher of watchers) watcher.disturbed(node)
    },
    add(address) {
      sentAway.delete(nodeId(address.url))
      return welcome(address)
    },
    announce(address) {
      if (!sentAway.has(nodeId(address.url))) welcome(address)
    },
    release(id, source) {
      const node = find(id)
      if (node?.leave(source) === true) dismiss(node)
    },
    remove(node) {
      sentAway.add(node.id)
      dismiss(node)
    },
    watchWith: (watcher) => void watchers.push(watcher),
  }
}

/** Times and counts change constantly and are left out: publishing them would hide the other changes. */
function publishedFields(record: NodeRecord): string {
  const {
    latency: _latency,
    last_check: _check,
    active_connections: _active,
    requests: _requests,
    ...rest
  } = record
  const { failures: _failures, ...told } = rest
  return JSON.stringify(told)
}
