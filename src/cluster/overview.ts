import { type Static, Type } from 'typebox'
import type { HealthStatus } from './nodes/health.ts'
import { type NodeRecord, nodeRecordSchema } from './nodes/node-record.ts'
import type { TrackedNode } from './nodes/tracked-node.ts'

export const clusterStatusSchema = Type.Union(
  [Type.Literal('healthy'), Type.Literal('degraded'), Type.Literal('critical')],
  {
    description:
      '`healthy`: every node is. `degraded`: some are, or none has been heard from yet. `critical`: there is no healthy node.',
  },
)

export const nodeCountsSchema = Type.Object({
  total: Type.Integer(),
  healthy: Type.Integer(),
  probing: Type.Integer(),
  unhealthy: Type.Integer(),
  unknown: Type.Integer(),
})

const clusterModelSchema = Type.Object({
  name: Type.String(),
  size: Type.Union([Type.Number(), Type.Null()], { description: 'Bytes on disk.' }),
  parameter_size: Type.Union([Type.String(), Type.Null()]),
  quantization: Type.Union([Type.String(), Type.Null()]),
  nodes: Type.Array(Type.String(), { description: 'Ids of the nodes that have it.' }),
  loaded_on: Type.Array(Type.String(), { description: 'Ids of the nodes that have it in memory.' }),
  available: Type.Boolean({ description: 'Whether a healthy node has it.' }),
})

export const clusterOverviewSchema = Type.Object({
  status: clusterStatusSchema,
  message: Type.String({ description: 'The status in a sentence.' }),
  counts: nodeCountsSchema,
  models: Type.Array(clusterModelSchema),
  nodes: Type.Array(nodeRecordSchema),
})

export type ClusterOverview = Readonly<Static<typeof clusterOverviewSchema>>
type NodeCounts = Static<typeof nodeCountsSchema>
type ClusterModel = Static<typeof clusterModelSchema>

/** The whole cluster at a glance. */
export function describeCluster(tracked: readonly TrackedNode[]): ClusterOverview {
  const nodes = tracked.flatMap(({ record }) => record ?? [])
  const counts = countNodes(nodes)
  return { ...judge(counts), counts, models: listModels(tracked), nodes }
}

function countNodes(nodes: readonly NodeRecord[]): NodeCounts {
  const withStatus = (status: HealthStatus) => nodes.filter((node) => node.status === status).length
  return {
    total: nodes.length,
    healthy: withStatus('healthy'),
    probing: withStatus('probing'),
    unhealthy: withStatus('unhealthy'),
    unknown: withStatus('unknown'),
  }
}

function judge({ total, healthy, unknown }: NodeCounts): Pick<ClusterOverview, 'status' | 'message'> {
  if (total === 0) {
    return {
      status: 'critical',
      message: 'There is no model node. Start one on this machine, or name one in CLUSTER_NODES.',
    }
  }
  const outOf = total === 1 ? 'The only node' : `${healthy} of ${total} nodes`
  if (healthy === total)
    return {
      status: 'healthy',
      message: total === 1 ? `${outOf} is healthy.` : `All ${total} nodes are healthy.`,
    }
  if (healthy > 0) return { status: 'degraded', message: `${outOf} ${healthy === 1 ? 'is' : 'are'} healthy.` }
  if (unknown > 0) return { status: 'degraded', message: 'The nodes have not all been heard from yet.' }
  return {
    status: 'critical',
    message: total === 1 ? `${outOf} is not healthy.` : `None of ${total} nodes is healthy.`,
  }
}

function listModels(tracked: readonly TrackedNode[]): ClusterModel[] {
  const byName = new Map<string, ClusterModel>()
  for (const { record, models } of tracked) {
    if (record === undefined) continue
    for (const model of models) {
      const known = byName.get(model.name) ?? {
        name: model.name,
        size: model.size,
        parameter_size: model.parameterSize,
        quantization: model.quantization,
        nodes: [],
        loaded_on: [],
        available: false,
      }
      known.nodes.push(record.id)
      if (record.loaded_models.includes(model.name)) known.loaded_on.push(record.id)
      known.available ||= record.status === 'healthy'
      byName.set(model.name, known)
    }
  }
  return [...byName.values()].sort((left, right) => (left.name < right.name ? -1 : 1))
}
