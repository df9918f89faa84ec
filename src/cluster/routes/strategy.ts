import { Type } from 'typebox'
import type { Access, HttpServer } from '#kernel/http'
import { strategyNames } from '../balancing/strategies.ts'
import type { Cluster } from '../cluster.ts'
import { canonicalModelName } from '../nodes/model-name.ts'
import { nodeRecordSchema } from '../nodes/node-record.ts'
import { explainNobody } from '../requests/explain-nobody.ts'

interface StrategyRouteOptions {
  readonly cluster: Cluster
  readonly access: Access
}

export const strategySchema = Type.Union([
  Type.Literal('round-robin'),
  Type.Literal('least-connections'),
  Type.Literal('least-latency'),
  Type.Literal('weighted'),
])
const strategyBody = Type.Object({ strategy: strategySchema })

/** Which node is chosen, and how. */
export function addStrategyRoutes(routes: HttpServer, { cluster, access }: StrategyRouteOptions): void {
  const { balancer } = cluster.requests
  routes.post(
    '/api/cluster/optimal',
    {
      config: { access },
      schema: {
        summary: 'Choose a node for a model',
        description:
          'The node the strategy in force, or the one named, would give a request to now. It counts as a turn.',
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
      const wish = { model: canonicalModelName(model), modelAsGiven: model, strategy, session }
      // Whoever asks where to go does not wait in a queue: a busy node is still the best one.
      const choice = balancer.choose(wish, new Set())
      const record = choice.kind === 'node' ? choice.node.record : undefined
      if (record === undefined) throw explainNobody(cluster.tracked(), wish)
      return { ...record, models: [...record.models], loaded_models: [...record.loaded_models] }
    },
  )
  routes.get(
    '/api/cluster/strategy',
    {
      config: { access },
      schema: {
        summary: 'The strategy in force',
        response: {
          200: Type.Object(
            { strategy: strategySchema, available: Type.Array(Type.String()) },
            { description: 'Its name, and those it could be.' },
          ),
        },
      },
    },
    async () => ({ strategy: balancer.strategy, available: [...strategyNames] }),
  )
  routes.put(
    '/api/cluster/strategy',
    {
      config: { access },
      schema: {
        summary: 'Change the strategy',
        description: 'For every request from now on, until the service restarts.',
        body: strategyBody,
        response: { 200: { ...strategyBody, description: 'The strategy in force.' } },
      },
    },
    async ({ body }) => {
      balancer.strategy = body.strategy
      return { strategy: balancer.strategy }
    },
  )
}
