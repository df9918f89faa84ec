import type { Logger, Metrics } from '#kernel/telemetry'
import { logNodeChange } from './log-node-change.ts'
import { measureNodes } from './metrics.ts'
import type { ChangeListener, NodeNews } from './nodes/change-feed.ts'
import { healthRulesFor } from './nodes/health.ts'
import type { NodeRecord } from './nodes/node-record.ts'
import { createNodeRegistry } from './nodes/registry.ts'
import { type ClusterOverview, describeCluster } from './overview.ts'
import { probeTimeoutMs } from './probing/probe-node.ts'
import { createProber } from './probing/prober.ts'
import type { ClusterOptions } from './settings.ts'

/** The model nodes, watched from `start()` to `stop()`. */
export interface Cluster extends AsyncDisposable {
  nodes(): readonly NodeRecord[]
  overview(): ClusterOverview
  start(): void
  /** Leaves no timer and no connection behind. A stopped cluster stays stopped. */
  stop(): Promise<void>
  /** Resolves when every address has been asked once since the start. */
  readonly firstRound: Promise<void>
  firstRoundIsDone(): boolean
  /** Calls back when a node appears, changes or disappears. Returns how to stop that. */
  onChange(listener: ChangeListener): () => void
  /** All nodes as they are, then every change, until the signal aborts. */
  follow(signal: AbortSignal): AsyncIterable<NodeNews>
}

export interface CreateClusterOptions {
  readonly settings: Pick<ClusterOptions, 'addresses' | 'intervalMs'>
  readonly log: Logger
  readonly metrics: Metrics
  /** How long a node may take to answer a probe. */
  readonly timeoutMs?: number
}

export function createCluster({
  settings,
  log,
  metrics,
  timeoutMs = probeTimeoutMs,
}: CreateClusterOptions): Cluster {
  const { addresses, intervalMs } = settings
  const registry = createNodeRegistry({ addresses, rules: healthRulesFor(intervalMs), log })
  const measured = measureNodes({ metrics, registry })
  const prober = createProber({
    registry,
    intervalMs,
    timeoutMs,
    log,
    onResult(node, result) {
      if (result.ok) measured.observeProbe(node.id, result.latencyMs / 1000)
    },
  })
  registry.changes.subscribe((change) => logNodeChange(change, log))
  return {
    nodes: () => registry.records(),
    overview: () => describeCluster(registry.tracked),
    start: () => prober.start(),
    stop: () => prober.stop(),
    firstRound: prober.firstRound,
    firstRoundIsDone: () => prober.firstRoundIsDone(),
    onChange: (listener) => registry.changes.subscribe(listener),
    follow: (signal) => registry.changes.follow(signal),
    [Symbol.asyncDispose]: () => prober.stop(),
  }
}
