import type { Metrics } from '#kernel/telemetry'
import type { NodeRegistry } from './nodes/registry.ts'

export interface ClusterMetrics {
  observeProbe(node: string, seconds: number): void
}

/** Shows the nodes to Prometheus. */
export function measureNodes({
  metrics,
  registry,
}: {
  metrics: Metrics
  registry: NodeRegistry
}): ClusterMetrics {
  metrics.gauge({
    name: 'cluster_node_healthy',
    help: '1 while a node is healthy, else 0.',
    labels: ['node'],
    collect(gauge) {
      // A node that is gone is not shown with its last value for ever.
      gauge.reset()
      for (const { id, status } of registry.records()) gauge.set({ node: id }, status === 'healthy' ? 1 : 0)
    },
  })
  const probeSeconds = metrics.histogram({
    name: 'cluster_probe_seconds',
    help: 'Time a node took to list its models when it was probed.',
    labels: ['node'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  })
  const stateChanges = metrics.counter({
    name: 'cluster_node_state_changes_total',
    help: 'Times a node went into a state.',
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
