import { Type } from 'typebox'
import type { Access, HttpServer } from '#kernel/http'
import type { Cluster } from '../cluster.ts'
import { heaviest } from '../nodes/node-address.ts'
import { nodeRecordSchema } from '../nodes/node-record.ts'

interface OperatorRouteOptions {
  readonly cluster: Cluster
  readonly access: Access
}

const weightSchema = Type.Integer({ minimum: 1, maximum: heaviest })
const idParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 300 }) })

/** What an operator does with nodes while the service runs. None of it outlives the process: lasting nodes are settings. */
export function addOperatorRoutes(routes: HttpServer, { cluster, access }: OperatorRouteOptions): void {
  routes.post(
    '/api/cluster/nodes',
    {
      config: { access },
      schema: {
        summary: 'Add a node',
        description: 'It is probed at once. A node that was there before keeps its id and what was measured.',
        body: Type.Object({
          url: Type.String({ minLength: 1, maxLength: 2048 }),
          weight: Type.Optional(weightSchema),
        }),
        response: { 201: { ...nodeRecordSchema, description: 'The node, not heard from yet.' } },
      },
    },
    async ({ body }, reply) => {
      const node = cluster.operations.add({ url: body.url, weight: body.weight ?? 1 })
      return reply.code(201).header('location', `/api/cluster/nodes/${node.id}`).send(copy(node))
    },
  )
  routes.get(
    '/api/cluster/nodes/:id',
    {
      config: { access },
      schema: {
        summary: 'Look at a node',
        params: idParams,
        response: { 200: { ...nodeRecordSchema, description: 'The node as it is now.' } },
      },
    },
    async ({ params }, reply) => {
      reply.header('cache-control', 'no-store')
      return copy(cluster.operations.change(params.id, {}))
    },
  )
  routes.patch(
    '/api/cluster/nodes/:id',
    {
      config: { access },
      schema: {
        summary: 'Weigh or drain a node',
        description: 'A draining node takes no new request and finishes what it has.',
        params: idParams,
        body: Type.Object(
          { weight: Type.Optional(weightSchema), draining: Type.Optional(Type.Boolean()) },
          { minProperties: 1, additionalProperties: false },
        ),
        response: { 200: { ...nodeRecordSchema, description: 'The node as it is now.' } },
      },
    },
    async ({ params, body }) => copy(cluster.operations.change(params.id, body)),
  )
  routes.delete(
    '/api/cluster/nodes/:id',
    {
      config: { access },
      schema: {
        summary: 'Remove a node',
        description:
          'It finishes what it has. It stays away until it is added again or the service restarts, even if a setting or discovery names it.',
        params: idParams,
        response: { 204: Type.Null({ description: 'Gone.' }) },
      },
    },
    async ({ params }, reply) => {
      cluster.operations.remove(params.id)
      return reply.code(204).send(null)
    },
  )
}

/** Records are frozen; an answer is written from a copy whose lists are its own. */
function copy<Node extends { readonly models: readonly string[]; readonly loaded_models: readonly string[] }>(
  node: Node,
) {
  return { ...node, models: [...node.models], loaded_models: [...node.loaded_models] }
}
