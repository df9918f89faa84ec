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
      // Before the first probe of the nodes is done, an empty list would be wrong.
      if (!cluster.firstRoundIsDone()) await waitAtMost(cluster.firstRound, maxWaitMs)
      return cluster.overview()
    },
    // The cluster is stopped by the application that started it.
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
