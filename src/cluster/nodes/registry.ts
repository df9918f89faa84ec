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
  /** A node became healthy, unhealthy or probing. */
  healthChanged?(): void
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
  /** A source adds an address. A known address keeps its measurements. Ignored while the node is banned. */
  announce(address: NodeAddress): void
  /** A source drops this node; it is removed when no source is left. */
  release(id: string, source: NodeSource): void
  /** Removes a node for an operator: no source can add it again. */
  ban(id: string): void
  unban(id: string): void
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
  const banned = new Set<string>()
  const records = () => tracked.flatMap(({ record }) => record ?? [])
  const changes = createChangeFeed({ log, nodes: records })
  const find = (id: string) => tracked.find((node) => node.id === id)

  function update(node: TrackedNode, act: () => void): void {
    const before = node.record
    const { status } = node.health
    act()
    const after = node.record
    if (after === undefined) {
      if (before !== undefined) changes.publish({ kind: 'removed', node: before })
    } else if (before === undefined || publishedFields(before) !== publishedFields(after)) {
      changes.publish({ kind: 'changed', node: after, before })
    }
    if (node.health.status !== status) for (const watcher of watchers) watcher.healthChanged?.()
  }

  function admit(address: NodeAddress): void {
    const id = nodeId(address.url)
    const returning = departed.get(id)
    departed.delete(id)
    const node = returning ?? createTrackedNode(address, rules)
    node.join(address)
    tracked = [...tracked, node]
    if (node.record !== undefined) changes.publish({ kind: 'changed', node: node.record, before: undefined })
    for (const watcher of watchers) watcher.added(node)
  }

  function welcome(address: NodeAddress): void {
    const known = find(nodeId(address.url))
    if (known === undefined) {
      admit(address)
      return
    }
    const wasNode = known.record !== undefined
    update(known, () => known.join(address))
    if (!wasNode) for (const watcher of watchers) watcher.wanted?.(known)
  }

  /** `record` is the node's before its last source left. */
  function dismiss(node: TrackedNode, record = node.record): void {
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
    announce(address) {
      if (!banned.has(nodeId(address.url))) welcome(address)
    },
    release(id, source) {
      const node = find(id)
      if (node?.isNamedBy(source) !== true) return
      if (node.sourceCount > 1) {
        update(node, () => node.leave(source))
        return
      }
      const { record } = node
      node.leave(source)
      dismiss(node, record)
    },
    ban(id) {
      banned.add(id)
      const node = find(id)
      if (node !== undefined) dismiss(node)
    },
    unban: (id) => void banned.delete(id),
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
