import type { Logger } from '#kernel/telemetry'
import { type ChangeFeed, createChangeFeed } from './change-feed.ts'
import type { HealthRules } from './health.ts'
import type { NodeAddress } from './node-address.ts'
import type { NodeRecord } from './node-record.ts'
import { createTrackedNode, type TrackedNode } from './tracked-node.ts'

/** Every address that is watched, and those of them that are nodes. */
export interface NodeRegistry {
  readonly tracked: readonly TrackedNode[]
  readonly changes: ChangeFeed
  records(): readonly NodeRecord[]
  /** Changes a node through `act` and tells the feed when others can see a difference. */
  update(node: TrackedNode, act: () => void): void
}

interface RegistryOptions {
  readonly addresses: readonly NodeAddress[]
  readonly rules: HealthRules
  readonly log: Logger
}

export function createNodeRegistry({ addresses, rules, log }: RegistryOptions): NodeRegistry {
  const tracked = addresses.map((address) => createTrackedNode(address, rules))
  const records = () => tracked.flatMap(({ record }) => record ?? [])
  const changes = createChangeFeed({ log, nodes: records })
  return {
    tracked,
    changes,
    records,
    update(node, act) {
      const before = node.record
      act()
      const after = node.record
      if (after === undefined) {
        if (before !== undefined) changes.publish({ kind: 'removed', node: before })
      } else if (before === undefined || worthTelling(before) !== worthTelling(after)) {
        changes.publish({ kind: 'changed', node: after, before })
      }
    },
  }
}

/** Times change with every probe; to tell them each time would bury the rest. */
function worthTelling({ latency: _latency, last_check: _lastCheck, ...rest }: NodeRecord): string {
  return JSON.stringify(rest)
}
