import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'

const perhaps = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

/**
 * What the catalogue needs of the cluster's overview, and no more: the service may be of another version than we are.
 * One of an earlier version does not tell the optional fields.
 */
const clusterFactsSchema = Type.Object({
  models: Type.Array(
    Type.Object({
      name: Type.String(),
      size: perhaps(Type.Integer()),
      modified_at: Type.Optional(perhaps(Type.String())),
      capabilities: Type.Optional(perhaps(Type.Array(Type.String()))),
      nodes: Type.Array(Type.String()),
      loaded_on: Type.Array(Type.String()),
    }),
  ),
  nodes: Type.Array(Type.Object({ id: Type.String(), status: Type.String() })),
})

export type ClusterFacts = Readonly<Static<typeof clusterFactsSchema>>
export type ClusterModel = ClusterFacts['models'][number]

/** Where the catalogue learns about models: the cluster of this process, or one elsewhere. */
export interface ClusterView extends AsyncDisposable {
  /** What is known now. Never throws: a cluster that cannot be asked is part of what is known. */
  read(): Promise<ClusterFacts>
}

const check = Compile(clusterFactsSchema)

/** Reads an answer of the cluster service; undefined when it is something else. */
export function readClusterFacts(answer: unknown): ClusterFacts | undefined {
  return check.Check(answer) ? answer : undefined
}
