import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { ClusterAccess } from '../callers/access.ts'
import { type ControlFor, nodeDetailsSchema } from '../control/control.ts'
import { heaviest } from '../nodes/node-address.ts'
import { nodeRecordSchema } from '../nodes/node-record.ts'
import { runtimeSchema } from '../nodes/runtime.ts'

interface OperatorRouteOptions {
  readonly controlFor: ControlFor
  readonly access: Pick<ClusterAccess, 'read' | 'operate'>
}

const weightSchema = Type.Integer({ minimum: 1, maximum: heaviest })
const idParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 300 }) })

/** Routes to add, change and remove nodes. The changes are stored. */
export function addOperatorRoutes(routes: HttpServer, { controlFor, access }: OperatorRouteOptions): void {
  routes.post(
    '/api/cluster/nodes',
    {
      config: { access: access.operate },
      schema: {
        summary: 'Add a node',
        description:
          'The node is probed at once and is kept over restarts. A node that was removed before keeps its id and measurements.',
        body: Type.Object({
          url: Type.String({ minLength: 1, maxLength: 2048 }),
          weight: Type.Optional(weightSchema),
          runtime: Type.Optional(runtimeSchema),
        }),
        response: { 201: { ...nodeRecordSchema, description: 'The node, not probed yet.' } },
      },
    },
    async (request, reply) => {
      const { url, weight = 1, runtime } = request.body
      const node = await controlFor(request).add({ url, weight, runtime })
      return reply.code(201).header('location', `/api/cluster/nodes/${node.id}`).send(node)
    },
  )
  routes.get(
    '/api/cluster/nodes/:id',
    {
      config: { access: access.read },
      schema: {
        summary: 'Get a node',
        params: idParams,
        response: {
          200: { ...nodeDetailsSchema, description: 'The node with its history of the last ten minutes.' },
        },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return await controlFor(request).look(request.params.id)
    },
  )
  routes.patch(
    '/api/cluster/nodes/:id',
    {
      config: { access: access.operate },
      schema: {
        summary: 'Update a node',
        description:
          'Sets the weight or drains the node, also after a restart. A draining node accepts no new requests and finishes the running ones. Weights have no effect under round-robin.',
        params: idParams,
        body: Type.Object(
          { weight: Type.Optional(weightSchema), draining: Type.Optional(Type.Boolean()) },
          { minProperties: 1, additionalProperties: false },
        ),
        response: { 200: { ...nodeRecordSchema, description: 'The updated node.' } },
      },
    },
    async (request) => await controlFor(request).change(request.params.id, request.body),
  )
  routes.delete(
    '/api/cluster/nodes/:id',
    {
      config: { access: access.operate },
      schema: {
        summary: 'Remove a node',
        description:
          'It finishes what it has. It stays away until it is added again, even if a setting or discovery names it.',
        params: idParams,
        response: { 204: Type.Null({ description: 'The node was removed.' }) },
      },
    },
    async (request, reply) => {
      await controlFor(request).remove(request.params.id)
      return reply.code(204).send(null)
    },
  )
}
