import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'

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
}

const check = Compile(clusterOverviewSchema)

/** The overview in a response of the cluster service; undefined when the response is something else. */
export function parseClusterOverview(response: unknown): ClusterOverview | undefined {
  return check.Check(response) ? response : undefined
}
