import type { StreamMessage } from '#kernel/http'
import { strategyNames } from '../balancing/strategies.ts'
import type { Cluster } from '../cluster.ts'
import { clusterFailure } from '../errors.ts'
import type { NodeNews } from '../nodes/change-feed.ts'
import type { ClusterControl } from './control.ts'
import { followMeasurements } from './measurements.ts'
import { mergeStreams } from './merge-streams.ts'

/** The cluster that runs in this process. */
export function controlOwnCluster(cluster: Cluster): ClusterControl {
  const { operations, requests } = cluster
  return {
    overview: async () => cluster.overview(),
    async list({ limit, page }) {
      const nodes = cluster.nodes()
      return { nodes: nodes.slice((page - 1) * limit, page * limit), total: nodes.length }
    },
    async look(id) {
      const found = cluster.tracked().find((node) => node.id === id)
      // A port where nobody has answered yet is watched, but it is no node.
      if (found?.record === undefined) throw clusterFailure('node_not_found', { details: { id } })
      return { ...found.record, history: found.history }
    },
    add: async (node) => operations.add(node),
    change: async (id, changes) => operations.change(id, changes),
    remove: async (id) => operations.remove(id),
    strategy: async () => ({ strategy: requests.balancer.strategy, available: [...strategyNames] }),
    async setStrategy(strategy) {
      requests.balancer.strategy = strategy
      return { strategy }
    },
    async follow({ signal, measurements }) {
      const news = writeNews(cluster.follow(signal))
      return measurements ? withMeasurements(news, cluster, signal) : news
    },
  }
}

async function* writeNews(news: AsyncIterable<NodeNews>): AsyncGenerator<StreamMessage> {
  for await (const item of news) yield writeMessage(item)
}

function writeMessage(news: NodeNews): StreamMessage {
  if (news.kind === 'all') return { event: 'nodes', data: { nodes: news.nodes, total: news.nodes.length } }
  if (news.kind === 'changed') return { event: 'node_changed', data: { node: news.node } }
  return { event: 'node_removed', data: { node: { id: news.node.id, url: news.node.url } } }
}

/** The list of nodes comes first, so that nobody hears of numbers before the nodes they are of. */
async function* withMeasurements(
  news: AsyncGenerator<StreamMessage>,
  cluster: Cluster,
  signal: AbortSignal,
): AsyncGenerator<StreamMessage> {
  const first = await news.next()
  if (first.done !== true) yield first.value
  yield* mergeStreams([news, writeMeasurements(cluster, signal)])
}

async function* writeMeasurements(cluster: Cluster, signal: AbortSignal): AsyncGenerator<StreamMessage> {
  for await (const data of followMeasurements(cluster, signal)) yield { event: 'measured', data }
}
