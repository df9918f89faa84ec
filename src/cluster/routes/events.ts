import { Type } from 'typebox'
import { type Access, type HttpServer, type StreamMessage, sendEventStream } from '#kernel/http'
import type { Cluster } from '../cluster.ts'
import type { NodeNews } from '../nodes/change-feed.ts'

interface EventRouteOptions {
  readonly cluster: Cluster
  readonly access: Access
}

/**
 * The nodes as a live stream. It begins with all of them, so whoever reconnects needs to know nothing of what was missed.
 *
 * | event          | data                | meaning                                               |
 * |----------------|---------------------|-------------------------------------------------------|
 * | `nodes`        | `{nodes, total}`    | all nodes; replaces what the reader had               |
 * | `node_changed` | `{node}`            | this node is new, or its status, models or error are  |
 * | `node_removed` | `{node: {id, url}}` | nobody is at this port any more                       |
 */
export function addEventRoutes(routes: HttpServer, { cluster, access }: EventRouteOptions): void {
  routes.get(
    '/api/cluster/events',
    {
      config: { access },
      schema: {
        summary: 'Follow the nodes',
        description:
          'Server-sent events: `nodes` with all of them first, then `node_changed` and `node_removed` as it happens.',
        response: {
          200: {
            description: 'A stream that ends when either side closes it.',
            content: { 'text/event-stream': { schema: Type.String() } },
          },
        },
      },
    },
    (request, reply) =>
      sendEventStream(request, reply, { messages: (signal) => writeMessages(cluster.follow(signal)) }),
  )
}

async function* writeMessages(news: AsyncIterable<NodeNews>): AsyncIterable<StreamMessage> {
  for await (const item of news) yield writeMessage(item)
}

function writeMessage(news: NodeNews): StreamMessage {
  if (news.kind === 'all') return { event: 'nodes', data: { nodes: news.nodes, total: news.nodes.length } }
  if (news.kind === 'changed') return { event: 'node_changed', data: { node: news.node } }
  return { event: 'node_removed', data: { node: { id: news.node.id, url: news.node.url } } }
}
