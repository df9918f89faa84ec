import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { ClusterAccess } from '../callers/access.ts'
import { type ControlFor, nodeDetailsSchema } from '../control/control.ts'
import { heaviest } from '../nodes/node-address.ts'
import { nodeRecordSchema } from '../nodes/node-record.ts'

interface OperatorRouteOptions {
  readonly controlFor: ControlFor
  readonly access: Pick<ClusterAccess, 'read' | 'operate'>
}

const weightSchema = Type.Integer({ minimum: 1, maximum: heaviest })
const idParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 300 }) })

/** What an operator does with nodes while the service runs. None of it outlives the process: lasting nodes are settings. */
export function addOperatorRoutes(routes: HttpServer, { controlFor, access }: OperatorRouteOptions): void {
  routes.post(
    '/api/cluster/nodes',
    {
      config: { access: access.operate },
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
    async (request, reply) => {
      const { url, weight = 1 } = request.body
      const node = await controlFor(request).add({ url, weight })
      return reply.code(201).header('location', `/api/cluster/nodes/${node.id}`).send(node)
    },
  )
  routes.get(
    '/api/cluster/nodes/:id',
    {
      config: { access: access.read },
      schema: {
        summary: 'Look at a node',
        params: idParams,
        response: {
          200: { ...nodeDetailsSchema, description: 'The node as it is now, and its last ten minutes.' },
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
    async (request) => await controlFor(request).change(request.params.id, request.body),
  )
  routes.delete(
    '/api/cluster/nodes/:id',
    {
      config: { access: access.operate },
      schema: {
        summary: 'Remove a node',
        description:
          'It finishes what it has. It stays away until it is added again or the service restarts, even if a setting or discovery names it.',
        params: idParams,
        response: { 204: Type.Null({ description: 'Gone.' }) },
      },
    },
    async (request, reply) => {
      await controlFor(request).remove(request.params.id)
      return reply.code(204).send(null)
    },
  )
}
