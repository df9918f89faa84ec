import { Type } from 'typebox'
import type { Access, HttpServer } from '#kernel/http'
import type { Cluster } from '../cluster.ts'
import { nodeRecordSchema } from '../nodes/node-record.ts'
import { clusterOverviewSchema } from '../overview.ts'

interface NodeRouteOptions {
  readonly cluster: Cluster
  readonly access: Access
}

/** The overview and the list of nodes. */
export function addNodeRoutes(routes: HttpServer, { cluster, access }: NodeRouteOptions): void {
  routes.get(
    '/api/cluster/status',
    {
      config: { access },
      schema: {
        summary: 'Overview of the cluster',
        description: 'How the cluster is, every node, and every model with the nodes that have it.',
        response: { 200: { ...clusterOverviewSchema, description: 'The cluster as it is now.' } },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return cluster.overview()
    },
  )
  routes.get(
    '/api/cluster/nodes',
    {
      config: { access },
      schema: {
        summary: 'List the nodes',
        description: 'Configured nodes in their order, then discovered ones by port.',
        querystring: Type.Object({
          limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
          page: Type.Integer({ minimum: 1, default: 1 }),
        }),
        response: {
          200: Type.Object(
            { nodes: Type.Array(nodeRecordSchema), total: Type.Integer() },
            { description: 'A page of the nodes, and how many there are.' },
          ),
        },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { limit, page } = request.query
      const nodes = cluster.nodes()
      return { nodes: nodes.slice((page - 1) * limit, page * limit), total: nodes.length }
    },
  )
}
