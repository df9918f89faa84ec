import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { disabledTracing, type Logger, type Metrics, type Tracing } from '#kernel/telemetry'
import { startRunningTimer } from '#kernel/timers'
import { createKubernetesDiscovery } from './kubernetes/discovery.ts'
import type { ChangeListener, NodeChange, NodeEvent } from './nodes/change-feed.ts'
import { healthRulesFor } from './nodes/health.ts'
import type { NodeRecord, NodeStatus } from './nodes/node-record.ts'
import { createNodeRegistry, type NodeRegistry } from './nodes/registry.ts'
import type { TrackedNode } from './nodes/tracked-node.ts'
import { createOperations, type Operations } from './operator/operations.ts'
import { createMemoryStore, type OperatorStore } from './operator/operator-store.ts'
import { type ClusterOverview, describeCluster } from './overview.ts'
import { probeTimeoutMs } from './probing/probe-node.ts'
import { createProber } from './probing/prober.ts'
import { createRequests, type Requests } from './requests/requests.ts'
import type { OnTraffic } from './requests/traffic.ts'
import type { ClusterOptions } from './settings.ts'

/** The model nodes, probed from `start()` to `stop()`. */
export interface Cluster extends AsyncDisposable {
  nodes(): readonly NodeRecord[]
  /** The nodes with all details, for merged lists. */
  tracked(): readonly TrackedNode[]
  overview(): ClusterOverview
  readonly operations: Operations
  /** This process, in views of what other processes may see differently. */
  readonly instance: string
  readonly requests: Requests
  /** The name of this cluster in forwarded requests. */
  readonly via: string
  /** Applies what operators have changed before. Call it before `start`. */
  restore(): Promise<void>
  start(): void
  /** Leaves no timer and no connection behind. A stopped cluster stays stopped. */
  stop(): Promise<void>
  /** Resolves when every address has been probed once since the start, including the first list of pods. */
  readonly firstRound: Promise<void>
  firstRoundIsDone(): boolean
  /** Why the first round is not finished. */
  waitsFor(): string | undefined
  /** Resolves after the first round of probes, or when that takes too long for a waiting request. Undefined when it has finished. */
  settled(): Promise<void> | undefined
  /** Invokes the callback when a node is added, changed or removed. Returns a function that unsubscribes. */
  onChange(listener: ChangeListener): () => void
  /** All nodes as they are, then every change, until the signal aborts. */
  follow(signal: AbortSignal): AsyncIterable<NodeEvent>
}

export interface CreateClusterOptions {
  readonly settings: Pick<ClusterOptions, 'addresses' | 'intervalMs' | 'kubernetes' | 'requests'>
  readonly log: Logger
  readonly metrics: Metrics
  /** Default: no traces. */
  readonly tracing?: Tracing
  /** Timeout of a probe. */
  readonly timeoutMs?: number
  /** Receives requests and tokens if a platform in this process records them. */
  readonly onTraffic?: OnTraffic | undefined
  /** Keeps the changes of operators. Default: in memory, until this process ends. */
  readonly store?: OperatorStore | undefined
  /** How long the first round waits for the list of pods. */
  readonly podsWaitMs?: number
}

/** Right after the start no node is known yet, and "no such model" would be wrong. */
const maxSettlingMs = 2000

/** Creates the model cluster of this process: it discovers and probes nodes and forwards requests to them. */
export function createCluster({
  settings,
  log,
  metrics,
  timeoutMs = probeTimeoutMs,
  podsWaitMs = 30_000,
  tracing = disabledTracing(),
  onTraffic,
  store = createMemoryStore(),
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
  const requests = createRequests({ registry, rules: settings.requests, metrics, tracing, onTraffic })
  const operations = createOperations({ store, registry, balancer: requests.balancer, log })
  const instance = `${hostname()}-${process.pid}`
  /** Resolves when requests no longer wait for the first round. */
  const settling = Promise.withResolvers<void>()
  let patience: Promise<void> | undefined

  async function settle(): Promise<void> {
    using _ = startRunningTimer(settling.resolve, maxSettlingMs)
    await Promise.race([prober.firstRound, settling.promise])
  }

  async function stop(): Promise<void> {
    settling.resolve()
    await operations[Symbol.asyncDispose]()
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
        instance,
      }),
    operations,
    instance,
    restore: () => operations.restore(),
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

/** Logs state changes and removals of nodes. */
function logNodeChange(change: NodeChange, log: Logger): void {
  const { id, url, status, last_error: reason } = change.node
  if (change.kind === 'removed') {
    log.info({ node: id, url }, 'model node removed')
  } else if (status !== change.before?.status) {
    const level = levelOf(change.before?.status, status)
    log[level]({ node: id, url, ...(reason !== null && { reason }) }, `model node is ${status}`)
  }
}

/** An unreachable node alternates between unhealthy and probing; only the first change is logged. */
function levelOf(from: NodeStatus | undefined, to: NodeStatus): 'info' | 'warn' | 'debug' {
  if (to === 'healthy') return 'info'
  return to === 'unhealthy' && from !== 'probing' ? 'warn' : 'debug'
}

interface ClusterMetrics {
  observeProbe(node: string, seconds: number): void
}

/** Exports the nodes as Prometheus metrics. */
function measureNodes({ metrics, registry }: { metrics: Metrics; registry: NodeRegistry }): ClusterMetrics {
  metrics.gauge({
    name: 'cluster_node_healthy',
    help: '1 while a node is healthy, otherwise 0.',
    labels: ['node'],
    collect(gauge) {
      // A removed node must not keep its last value.
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
