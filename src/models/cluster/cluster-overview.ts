import { type Static, Type } from 'typebox'
import type { Cluster } from '#cluster'
import { createCheck } from '#kernel/checks'
import { startRunningTimer } from '#kernel/timers'

const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

/**
 * The part of the cluster's overview that the catalogue needs. The cluster service may run another version; earlier versions
 * do not send the optional fields.
 */
const clusterOverviewSchema = Type.Object({
  models: Type.Array(
    Type.Object({
      name: Type.String(),
      size: nullable(Type.Integer()),
      modified_at: Type.Optional(nullable(Type.String())),
      capabilities: Type.Optional(nullable(Type.Array(Type.String()))),
      nodes: Type.Array(Type.String()),
      loaded_on: Type.Array(Type.String()),
    }),
  ),
  nodes: Type.Array(Type.Object({ id: Type.String(), status: Type.String() })),
})

export type ClusterOverview = Readonly<Static<typeof clusterOverviewSchema>>
export type ClusterModel = ClusterOverview['models'][number]

/** The catalogue's view of the cluster, which runs in this process or elsewhere. */
export interface ClusterView extends AsyncDisposable {
  /** The current overview. Never throws: an unreachable cluster has no nodes. */
  read(): Promise<ClusterOverview>
  /** Whether the nodes are known: a service elsewhere has responded at least once. */
  hasResponded(): boolean
}

const check = createCheck(clusterOverviewSchema)

/** The overview in a response of the cluster service; undefined when the response is something else. */
export function parseClusterOverview(response: unknown): ClusterOverview | undefined {
  return check.Check(response) ? response : undefined
}

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
    hasResponded: () => true,
    // The cluster is stopped by the application that started it.
    async [Symbol.asyncDispose]() {},
  }
}

async function waitAtMost(event: Promise<void>, ms: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  using _ = startRunningTimer(resolve, ms)
  await Promise.race([event, late])
}
