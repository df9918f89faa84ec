import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { ClusterAccess } from '../callers/access.ts'
import type { ControlFor } from '../control/control.ts'
import { nodeRecordSchema } from '../nodes/node-record.ts'
import { clusterOverviewSchema, instanceSchema } from '../overview.ts'

interface NodeRouteOptions {
  readonly controlFor: ControlFor
  readonly access: Pick<ClusterAccess, 'read'>
}

/** The overview and the list of nodes. */
export function addNodeRoutes(routes: HttpServer, { controlFor, access }: NodeRouteOptions): void {
  routes.get(
    '/api/cluster/status',
    {
      config: { access: access.read },
      schema: {
        summary: 'Get the cluster status',
        description: 'Returns the status, all nodes, and all models with their nodes.',
        response: { 200: { ...clusterOverviewSchema, description: 'The current state of the cluster.' } },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return await controlFor(request).overview()
    },
  )
  routes.get(
    '/api/cluster/nodes',
    {
      config: { access: access.read },
      schema: {
        summary: 'List nodes',
        description: 'Configured nodes in their order, then discovered ones by port.',
        querystring: Type.Object({
          limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
          page: Type.Integer({ minimum: 1, default: 1 }),
        }),
        response: {
          200: Type.Object(
            { nodes: Type.Array(nodeRecordSchema), total: Type.Integer(), instance: instanceSchema },
            { description: 'A page of nodes with their total number.' },
          ),
        },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return await controlFor(request).list(request.query)
    },
  )
}
