import { Type } from 'typebox'
import { addHealthRoutes, type HttpServer, type ReadinessCheck } from '#kernel/http'
import type { Cluster } from '../cluster.ts'
import { clusterStatusSchema, nodeCountsSchema } from '../overview.ts'

const healthSchema = Type.Object(
  {
    status: clusterStatusSchema,
    message: Type.String(),
    nodes: nodeCountsSchema,
    version: Type.String(),
    uptime_seconds: Type.Number(),
  },
  { description: 'The service is running; `status` is the status of the nodes.' },
)

interface ServiceHealthOptions {
  readonly cluster: Cluster
  readonly version: string
}

/** Before every address has been probed once, an empty list of nodes is not an error. */
export function clusterReadiness(cluster: Cluster): readonly ReadinessCheck[] {
  return [
    {
      name: 'nodes',
      check: async () => {
        const reason = cluster.waitsFor()
        if (reason !== undefined) throw new Error(reason)
      },
    },
  ]
}

/** The health routes for monitoring: open, and served under any load. */
export function addServiceHealthRoutes(routes: HttpServer, { cluster, version }: ServiceHealthOptions): void {
  addHealthRoutes(routes, clusterReadiness(cluster))
  routes.get(
    '/',
    {
      config: { access: { open: 'Ollama clients check the address before they use it' } },
      schema: {
        summary: 'Check that the service is available',
        response: { 200: { description: 'A text.', content: { 'text/plain': { schema: Type.String() } } } },
      },
    },
    async (_request, reply) => {
      await reply.type('text/plain; charset=utf-8').send('Ollama is running')
    },
  )
  routes.get(
    '/health',
    {
      config: { access: { open: 'tells how many nodes there are, not which' }, neverShed: true },
      schema: { summary: 'Get health', response: { 200: healthSchema } },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      const { status, message, counts } = cluster.overview()
      return { status, message, nodes: counts, version, uptime_seconds: Math.floor(process.uptime()) }
    },
  )
}
