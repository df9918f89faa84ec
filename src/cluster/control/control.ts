import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { StreamMessage } from '#kernel/http'
import type { StrategyName } from '../balancing/strategies.ts'
import { nodeHistorySchema } from '../nodes/history.ts'
import { type NodeRecord, nodeRecordSchema } from '../nodes/node-record.ts'
import type { AddedNode } from '../operator/operations.ts'
import type { ClusterOverview } from '../overview.ts'

/** A node with its recent history, which is too long for a list. */
export const nodeDetailsSchema = Type.Object({ ...nodeRecordSchema.properties, history: nodeHistorySchema })

export type NodeDetails = Readonly<Static<typeof nodeDetailsSchema>>

interface NodeChanges {
  readonly weight?: number | undefined
  readonly draining?: boolean | undefined
}

export const strategySchema = Type.Union([
  Type.Literal('round-robin'),
  Type.Literal('least-connections'),
  Type.Literal('least-latency'),
  Type.Literal('weighted'),
  Type.Literal('prefix-affinity'),
])

export const strategyViewSchema = Type.Object(
  {
    strategy: strategySchema,
    available: Type.Array(Type.String()),
    uses_weights: Type.Boolean({
      description:
        'Whether the strategy distributes requests by the weights of the nodes. Round-robin does not.',
    }),
    changed_by: Type.Union([Type.String(), Type.Null()], {
      description: 'Id of the operator who set it; null while it is the one of CLUSTER_STRATEGY.',
    }),
    changed_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  },
  { description: 'The strategy and the available ones.' },
)

type StrategyView = Static<typeof strategyViewSchema>

/** The operations on a cluster, in this process or remote. */
export interface ClusterControl {
  overview(): Promise<ClusterOverview>
  list(page: {
    readonly limit: number
    readonly page: number
  }): Promise<{ nodes: NodeRecord[]; total: number; instance: string }>
  look(id: string): Promise<NodeDetails>
  add(node: AddedNode): Promise<NodeRecord>
  change(id: string, changes: NodeChanges): Promise<NodeRecord>
  remove(id: string): Promise<void>
  strategy(): Promise<StrategyView>
  setStrategy(strategy: StrategyName): Promise<{ strategy: StrategyName }>
  /** Resolves when the stream is open; it ends when the signal aborts or the cluster becomes unreachable. */
  follow(options: FollowOptions): Promise<AsyncIterable<StreamMessage>>
}

/** The control for the caller of a request. */
export type ControlFor = (request: FastifyRequest) => ClusterControl

interface FollowOptions {
  readonly signal: AbortSignal
  /** Includes the constantly changing numbers: load, latency, history. */
  readonly measurements: boolean
}
