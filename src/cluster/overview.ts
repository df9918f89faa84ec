import { type Static, Type } from 'typebox'
import { type NodeRecord, type NodeStatus, nodeRecordSchema } from './nodes/node-record.ts'
import type { TrackedNode } from './nodes/tracked-node.ts'
import type { NodeModel } from './probing/model-list.ts'

export const clusterStatusSchema = Type.Union(
  [Type.Literal('healthy'), Type.Literal('degraded'), Type.Literal('critical')],
  {
    description:
      '`healthy`: every node is healthy. `degraded`: some nodes are healthy, or none has been probed yet. `critical`: no node is healthy.',
  },
)

export const nodeCountsSchema = Type.Object({
  total: Type.Integer(),
  healthy: Type.Integer(),
  probing: Type.Integer(),
  unhealthy: Type.Integer(),
  unknown: Type.Integer(),
  draining: Type.Integer(),
})

const clusterModelSchema = Type.Object({
  name: Type.String(),
  size: Type.Union([Type.Number(), Type.Null()], { description: 'Bytes on disk.' }),
  parameter_size: Type.Union([Type.String(), Type.Null()]),
  quantization: Type.Union([Type.String(), Type.Null()]),
  modified_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'Earliest modification time on a node.',
  }),
  capabilities: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'Capabilities reported by the nodes; null without any.',
  }),
  nodes: Type.Array(Type.String(), { description: 'Ids of the nodes with the model.' }),
  loaded_on: Type.Array(Type.String(), { description: 'Ids of the nodes with the model in memory.' }),
  available: Type.Boolean({ description: 'Whether a healthy node has the model.' }),
})

/** Which process has seen the health of the nodes. */
export const instanceSchema = Type.String({
  description:
    'The process that probed the nodes. Others may see another health; nodes, weights and drains are shared.',
})

export const clusterOverviewSchema = Type.Object({
  instance: instanceSchema,
  status: clusterStatusSchema,
  message: Type.String({ description: 'The status as a sentence.' }),
  counts: nodeCountsSchema,
  strategy: Type.String({ description: 'The default strategy of requests.' }),
  queues: Type.Array(Type.Object({ model: Type.String(), waiting: Type.Integer() }), {
    description: 'Waiting requests by model.',
  }),
  models: Type.Array(clusterModelSchema),
  nodes: Type.Array(nodeRecordSchema),
})

export type ClusterOverview = Readonly<Static<typeof clusterOverviewSchema>>
type NodeCounts = Static<typeof nodeCountsSchema>
type ClusterModel = Static<typeof clusterModelSchema>

interface Traffic {
  readonly instance: string
  readonly strategy: string
  /** Waiting requests by model. */
  readonly depths: ReadonlyMap<string, number>
}

/** The overview of the cluster. */
export function describeCluster(tracked: readonly TrackedNode[], traffic: Traffic): ClusterOverview {
  const nodes = tracked.flatMap(({ record }) => record ?? [])
  const counts = countNodes(nodes)
  const queues = [...traffic.depths].map(([model, waiting]) => ({ model, waiting }))
  return {
    instance: traffic.instance,
    ...statusOf(counts),
    counts,
    strategy: traffic.strategy,
    queues,
    models: listModels(tracked),
    nodes,
  }
}

function countNodes(nodes: readonly NodeRecord[]): NodeCounts {
  const withStatus = (status: NodeStatus) => nodes.filter((node) => node.status === status).length
  return {
    total: nodes.length,
    healthy: withStatus('healthy'),
    probing: withStatus('probing'),
    unhealthy: withStatus('unhealthy'),
    unknown: withStatus('unknown'),
    draining: withStatus('draining'),
  }
}

function statusOf({ total, healthy, unknown }: NodeCounts): Pick<ClusterOverview, 'status' | 'message'> {
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
  if (unknown > 0) return { status: 'degraded', message: 'Some nodes have not been probed yet.' }
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
      const known = byName.get(model.name) ?? nameOnly(model.name)
      addFacts(known, model)
      known.nodes.push(record.id)
      if (record.loaded_models.includes(model.name)) known.loaded_on.push(record.id)
      known.available ||= record.status === 'healthy'
      byName.set(model.name, known)
    }
  }
  return [...byName.values()].sort((left, right) => (left.name < right.name ? -1 : 1))
}

function nameOnly(name: string): ClusterModel {
  return {
    name,
    size: null,
    parameter_size: null,
    quantization: null,
    modified_at: null,
    capabilities: null,
    nodes: [],
    loaded_on: [],
    available: false,
  }
}

/** Fills missing fields from other nodes. */
function addFacts(known: ClusterModel, model: NodeModel): void {
  known.size ??= model.size
  known.parameter_size ??= model.parameterSize
  known.quantization ??= model.quantization
  const modifiedAt = model.modifiedAt?.toISOString() ?? null
  if (modifiedAt !== null && (known.modified_at === null || modifiedAt < known.modified_at)) {
    known.modified_at = modifiedAt
  }
  if (model.capabilities !== null) {
    known.capabilities = [...new Set([...(known.capabilities ?? []), ...model.capabilities])].sort()
  }
}
