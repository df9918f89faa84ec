import { performance } from 'node:perf_hooks'
import type { Logger } from '#kernel/telemetry'
import { type ChangeFeed, createChangeFeed } from './change-feed.ts'
import type { HealthRules, RequestObservation } from './health.ts'
import { type NodeAddress, type NodeSource, nodeId } from './node-address.ts'
import type { NodeRecord } from './node-record.ts'
import { createTrackedNode, type TrackedNode } from './tracked-node.ts'

/** Looks after the nodes, so it must know which there are. */
interface NodeWatcher {
  added(node: TrackedNode): void
  removed(node: TrackedNode): void
  /** Something other than a probe changed how the node is. */
  disturbed(node: TrackedNode): void
  /** A request needs the state of an address that was only watched until now. */
  wanted?(node: TrackedNode): void
}

/** Every address that is watched, and those of them that are nodes. */
export interface NodeRegistry {
  readonly tracked: readonly TrackedNode[]
  readonly changes: ChangeFeed
  records(): readonly NodeRecord[]
  find(id: string): TrackedNode | undefined
  /** Changes a node through `act` and tells the feed when others can see a difference. */
  update(node: TrackedNode, act: () => void): void
  /** Takes in how a request to a node went. */
  report(node: TrackedNode, observation: RequestObservation, error?: string): void
  /** An operator names an address. One that was there before is the node it was, with what was measured. */
  add(address: NodeAddress): TrackedNode
  /** A source names an address. Nothing happens when an operator sent that node away. */
  announce(address: NodeAddress): void
  /** A source no longer names this node; it goes when no other source does. */
  release(id: string, source: NodeSource): void
  /** Removed by an operator: it stays away, even if another source names it, until an operator adds it again. */
  remove(node: TrackedNode): void
  watchWith(watcher: NodeWatcher): void
}

interface RegistryOptions {
  readonly addresses: readonly NodeAddress[]
  readonly rules: HealthRules
  readonly log: Logger
}

/** Pods come and go under ever new addresses, so not all that ever were can be remembered. */
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

/** Times and counts change all the while; to tell them each time would bury the rest. */
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
