import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '#cluster'
import type { ClusterView } from './cluster-facts.ts'

/** The cluster that runs in this process. */
export function viewOwnCluster(
  cluster: Cluster,
  { mostWaitMs }: { readonly mostWaitMs: number },
): ClusterView {
  return {
    async read() {
      // Right after the start no node has been heard yet, and "no models" would be wrong rather than early.
      if (!cluster.firstRoundIsDone()) await waitAtMost(cluster.firstRound, mostWaitMs)
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
