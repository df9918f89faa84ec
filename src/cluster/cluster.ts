import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger, Metrics } from '#kernel/telemetry'
import { createKubernetesDiscovery } from './kubernetes/discovery.ts'
import type { ChangeListener, NodeChange, NodeEvent } from './nodes/change-feed.ts'
import { healthRulesFor } from './nodes/health.ts'
import type { NodeRecord, NodeStatus } from './nodes/node-record.ts'
import { createNodeOperations, type NodeOperations } from './nodes/operate.ts'
import { createNodeRegistry, type NodeRegistry } from './nodes/registry.ts'
import type { TrackedNode } from './nodes/tracked-node.ts'
import { type ClusterOverview, describeCluster } from './overview.ts'
import { probeTimeoutMs } from './probing/probe-node.ts'
import { createProber } from './probing/prober.ts'
import { createRequests, type Requests } from './requests/requests.ts'
import type { OnTraffic } from './requests/traffic.ts'
import type { ClusterOptions } from './settings.ts'

/** The model nodes, watched from `start()` to `stop()`. */
export interface Cluster extends AsyncDisposable {
  nodes(): readonly NodeRecord[]
  /** The same with all that is known, for what is merged from it. */
  tracked(): readonly TrackedNode[]
  overview(): ClusterOverview
  readonly operations: NodeOperations
  readonly requests: Requests
  /** The name by which requests that passed through here are known. */
  readonly via: string
  start(): void
  /** Leaves no timer and no connection behind. A stopped cluster stays stopped. */
  stop(): Promise<void>
  /** Resolves when every address has been asked once since the start, those of the first list of pods included. */
  readonly firstRound: Promise<void>
  firstRoundIsDone(): boolean
  /** Why the first round is not done yet. */
  waitsFor(): string | undefined
  /** Resolves after the first round of probes, or when that takes too long for a waiting request. Undefined when it has finished. */
  settled(): Promise<void> | undefined
  /** Calls back when a node appears, changes or disappears. Returns how to stop that. */
  onChange(listener: ChangeListener): () => void
  /** All nodes as they are, then every change, until the signal aborts. */
  follow(signal: AbortSignal): AsyncIterable<NodeEvent>
}

export interface CreateClusterOptions {
  readonly settings: Pick<ClusterOptions, 'addresses' | 'intervalMs' | 'kubernetes' | 'requests'>
  readonly log: Logger
  readonly metrics: Metrics
  /** How long a node may take to answer a probe. */
  readonly timeoutMs?: number
  /** Is told of requests and tokens, where a platform in this process records them. */
  readonly onTraffic?: OnTraffic | undefined
  /** How long the first round waits for Kubernetes to tell which pods there are. */
  readonly podsWaitMs?: number
}

/** Right after the start nothing is known of any node, and "no such model" would be wrong rather than early. */
const maxSettlingMs = 2000

export function createCluster({
  settings,
  log,
  metrics,
  timeoutMs = probeTimeoutMs,
  podsWaitMs = 30_000,
  onTraffic,
}: CreateClusterOptions): Cluster {
  const { addresses, intervalMs } = settings
  const via = `tutti-${randomBytes(6).toString('hex')}`
  const registry = createNodeRegistry({ addresses, rules: healthRulesFor(intervalMs), log })
  const measured = measureNodes({ metrics, registry })
  const prober = createProber({
    registry,
    intervalMs,
    timeoutMs,
    via,
    log,
    onResult(node, result) {
      if (result.ok) measured.observeProbe(node.id, result.latencyMs / 1000)
    },
  })
  registry.changes.subscribe((change) => logNodeChange(change, log))
  const pods =
    settings.kubernetes === undefined
      ? undefined
      : createKubernetesDiscovery({
          settings: settings.kubernetes,
          registry,
          log,
          onFirstList: prober.awaitSource(),
          maxWaitMs: podsWaitMs,
        })
  const requests = createRequests({ registry, rules: settings.requests, metrics, onTraffic })
  const settling = new AbortController()
  let patience: Promise<void> | undefined

  async function settle(): Promise<void> {
    const late = sleep(maxSettlingMs, undefined, { signal: settling.signal }).catch(() => {})
    await Promise.race([prober.firstRound, late])
    settling.abort()
  }

  async function stop(): Promise<void> {
    settling.abort()
    await pods?.stop()
    await prober.stop()
    await requests[Symbol.asyncDispose]()
  }

  return {
    nodes: () => registry.records(),
    tracked: () => registry.tracked,
    overview: () =>
      describeCluster(registry.tracked, {
        strategy: requests.balancer.strategy,
        depths: requests.admission.depths(),
      }),
    operations: createNodeOperations(registry),
    requests,
    via,
    start() {
      prober.start()
      pods?.start()
    },
    stop,
    firstRound: prober.firstRound,
    firstRoundIsDone: () => prober.firstRoundIsDone(),
    waitsFor() {
      if (prober.firstRoundIsDone()) return undefined
      return pods?.waitsFor() ?? 'not every node has been asked yet'
    },
    settled() {
      if (prober.firstRoundIsDone()) return undefined
      patience ??= settle()
      return patience
    },
    onChange: (listener) => registry.changes.subscribe(listener),
    follow: (signal) => registry.changes.follow(signal),
    [Symbol.asyncDispose]: stop,
  }
}

/** Tells the log when a node goes into another state, or goes. */
function logNodeChange(change: NodeChange, log: Logger): void {
  const { id, url, status, last_error: reason } = change.node
  if (change.kind === 'removed') {
    log.info({ node: id, url }, 'model node removed')
  } else if (status !== change.before?.status) {
    const level = levelOf(change.before?.status, status)
    log[level]({ node: id, url, ...(reason !== null && { reason }) }, `model node is ${status}`)
  }
}

/** A node that is down goes to and fro between unhealthy and probing; that it went down has been said by then. */
function levelOf(from: NodeStatus | undefined, to: NodeStatus): 'info' | 'warn' | 'debug' {
  if (to === 'healthy') return 'info'
  return to === 'unhealthy' && from !== 'probing' ? 'warn' : 'debug'
}

interface ClusterMetrics {
  observeProbe(node: string, seconds: number): void
}

/** Shows the nodes to Prometheus. */
function measureNodes({ metrics, registry }: { metrics: Metrics; registry: NodeRegistry }): ClusterMetrics {
  metrics.gauge({
    name: 'cluster_node_healthy',
    help: '1 while a node is healthy, otherwise 0.',
    labels: ['node'],
    collect(gauge) {
      // A node that is gone is not shown with its last value for ever.
      gauge.reset()
      for (const { id, status } of registry.records()) gauge.set({ node: id }, status === 'healthy' ? 1 : 0)
    },
  })
  const probeSeconds = metrics.histogram({
    name: 'cluster_probe_seconds',
    help: 'Duration of a probe of a node.',
    labels: ['node'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  })
  const stateChanges = metrics.counter({
    name: 'cluster_node_state_changes_total',
    help: 'Transitions of a node into a state.',
    labels: ['node', 'to'],
  })
  registry.changes.subscribe((change) => {
    if (change.kind === 'removed' || change.node.status === change.before?.status) return
    stateChanges.inc({ node: change.node.id, to: change.node.status })
  })
  return {
    observeProbe: (node, seconds) => probeSeconds.observe({ node }, seconds),
  }
}
