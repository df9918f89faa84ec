import { Type } from 'typebox'
import { type HttpServer, sendEventStream } from '#kernel/http'
import type { ClusterAccess } from '../callers/access.ts'
import type { ControlFor } from '../control/control.ts'

interface EventRouteOptions {
  readonly controlFor: ControlFor
  readonly access: Pick<ClusterAccess, 'read'>
}

/**
 * The nodes as a live stream. It begins with all of them, so that a reconnecting client needs no missed events.
 *
 * | event          | data                | meaning                                               |
 * |----------------|---------------------|-------------------------------------------------------|
 * | `nodes`        | `{nodes, total}`    | all nodes; replaces what the reader had               |
 * | `node_changed` | `{node}`            | this node is new, or its status, models or error are  |
 * | `node_removed` | `{node: {id, url}}` | the node was removed or no longer responds            |
 *
 * With `measurements=true` also `measured`, at most once a second: how the cluster is, its strategy and queues, and `nodes`
 * with the load, latency and history of all of them at first, then of those where they are different.
 */
export function addEventRoutes(routes: HttpServer, { controlFor, access }: EventRouteOptions): void {
  routes.get(
    '/api/cluster/events',
    {
      config: { access: access.read },
      schema: {
        summary: 'Stream node changes',
        description:
          'Server-sent events: `nodes` with all of them first, then `node_changed` and `node_removed` as it happens; if wanted, `measured` with load, latency and history at most once a second.',
        querystring: Type.Object({
          measurements: Type.Boolean({
            default: false,
            description: 'Whether to include measurements.',
          }),
        }),
        response: {
          200: {
            description: 'A stream that ends when either side closes it.',
            content: { 'text/event-stream': { schema: Type.String() } },
          },
        },
      },
    },
    async (request, reply) => {
      const over = new AbortController()
      const stop = () => over.abort()
      reply.raw.on('close', stop)
      const messages = await controlFor(request).follow({
        signal: AbortSignal.any([over.signal, request.server.closing]),
        measurements: request.query.measurements,
      })
      await sendEventStream(request, reply, {
        messages(signal) {
          signal.addEventListener('abort', stop)
          return messages
        },
      })
    },
  )
}
