import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '#cluster'
import type { ClusterView } from './cluster-overview.ts'

/** The cluster that runs in this process. */
export function viewLocalCluster(
  cluster: Cluster,
  { maxWaitMs }: { readonly maxWaitMs: number },
): ClusterView {
  return {
    async read() {
      // Right after the start no node has been heard yet, and "no models" would be wrong rather than early.
      if (!cluster.firstRoundIsDone()) await waitAtMost(cluster.firstRound, maxWaitMs)
      return cluster.overview()
    },
    // Whoever started the cluster stops it.
    async [Symbol.asyncDispose]() {},
  }
}

async function waitAtMost(event: Promise<void>, ms: number): Promise<void> {
  const over = new AbortController()
  try {
    await Promise.race([event, sleep(ms, undefined, { signal: over.signal })])
  } finally {
    over.abort()
  }
}
