import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { ClusterAccess } from '../callers/access.ts'
import type { Cluster } from '../cluster.ts'
import { type ControlFor, strategySchema, strategyViewSchema } from '../control/control.ts'
import { canonicalModelName } from '../nodes/model-name.ts'
import { nodeRecordSchema } from '../nodes/node-record.ts'
import { explainNoNode } from '../requests/explain-no-node.ts'

interface OptimalRouteOptions {
  readonly cluster: Cluster
  readonly access: Pick<ClusterAccess, 'generate'>
}

interface StrategyRouteOptions {
  readonly controlFor: ControlFor
  readonly access: Pick<ClusterAccess, 'read' | 'operate'>
}

const strategyBody = Type.Object({ strategy: strategySchema })

export function addOptimalRoute(routes: HttpServer, { cluster, access }: OptimalRouteOptions): void {
  const { balancer } = cluster.requests
  routes.post(
    '/api/cluster/optimal',
    {
      config: { access: access.generate },
      schema: {
        summary: 'Choose a node for a model',
        description:
          'Returns the node that a request would be sent to now, by the given or the current strategy. It advances round-robin.',
        body: Type.Object({
          model: Type.String({ minLength: 1, maxLength: 512 }),
          strategy: Type.Optional(strategySchema),
          session: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
        }),
        response: { 200: { ...nodeRecordSchema, description: 'The node.' } },
      },
    },
    async ({ body }, reply) => {
      await cluster.settled()
      reply.header('cache-control', 'no-store')
      const { model, strategy, session } = body
      const requirements = { model: canonicalModelName(model), modelAsGiven: model, strategy, session }
      // This request does not queue: a busy node is still the best one.
      const choice = balancer.choose(requirements, new Set())
      const record = choice.kind === 'node' ? choice.node.record : undefined
      if (record === undefined) throw explainNoNode(cluster.tracked(), requirements)
      return { ...record, models: [...record.models], loaded_models: [...record.loaded_models] }
    },
  )
}

export function addStrategyRoutes(routes: HttpServer, { controlFor, access }: StrategyRouteOptions): void {
  routes.get(
    '/api/cluster/strategy',
    {
      config: { access: access.read },
      schema: {
        summary: 'Get the strategy',
        response: {
          200: strategyViewSchema,
        },
      },
    },
    async (request) => await controlFor(request).strategy(),
  )
  routes.put(
    '/api/cluster/strategy',
    {
      config: { access: access.operate },
      schema: {
        summary: 'Change the strategy',
        description:
          'Applies to all new requests, on every replica that shares the database, and after a restart.',
        body: strategyBody,
        response: { 200: { ...strategyBody, description: 'The new strategy.' } },
      },
    },
    async (request) => await controlFor(request).setStrategy(request.body.strategy),
  )
}
