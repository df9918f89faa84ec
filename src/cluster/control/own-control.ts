import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamMessage } from '#kernel/http'
import { strategyNames, usesWeights } from '../balancing/strategies.ts'
import type { Cluster } from '../cluster.ts'
import { clusterFailure } from '../errors.ts'
import type { NodeEvent } from '../nodes/change-feed.ts'
import type { ClusterOverview } from '../overview.ts'
import type { ClusterControl, NodeDetails } from './control.ts'

/** The cluster that runs in this process, for the operator with this id. */
export function controlOwnCluster(cluster: Cluster, by: string | null): ClusterControl {
  const { operations, requests } = cluster
  return {
    overview: async () => cluster.overview(),
    async list({ limit, page }) {
      const nodes = cluster.nodes()
      return {
        nodes: nodes.slice((page - 1) * limit, page * limit),
        total: nodes.length,
        instance: cluster.instance,
      }
    },
    async look(id) {
      const found = cluster.tracked().find((node) => node.id === id)
      // A discovered port without a response yet is watched, but is not a node.
      if (found?.record === undefined) throw clusterFailure('node_not_found', { details: { id } })
      return { ...found.record, history: found.history }
    },
    add: (node) => operations.add(node, by),
    change: (id, changes) => operations.change(id, changes, by),
    remove: (id) => operations.remove(id, by),
    async strategy() {
      const { strategy } = requests.balancer
      const setting = operations.strategySetting()
      return {
        strategy,
        available: [...strategyNames],
        uses_weights: usesWeights(strategy),
        changed_by: setting?.changedBy ?? null,
        changed_at: setting?.changedAt.toISOString() ?? null,
      }
    },
    async setStrategy(strategy) {
      await operations.setStrategy(strategy, by)
      return { strategy }
    },
    async follow({ signal, measurements }) {
      const news = writeNews(cluster.follow(signal))
      return measurements ? withMeasurements(news, cluster, signal) : news
    },
  }
}

async function* writeNews(news: AsyncIterable<NodeEvent>): AsyncGenerator<StreamMessage> {
  for await (const item of news) yield writeMessage(item)
}

function writeMessage(news: NodeEvent): StreamMessage {
  if (news.kind === 'all') return { event: 'nodes', data: { nodes: news.nodes, total: news.nodes.length } }
  if (news.kind === 'changed') return { event: 'node_changed', data: { node: news.node } }
  return { event: 'node_removed', data: { node: { id: news.node.id, url: news.node.url } } }
}

/** Sends the list of nodes first, so that measurements always refer to known nodes. */
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

/** Merges the items of all sources until one of them ends, which ends the others. */
export async function* mergeStreams<Item>(
  sources: readonly AsyncIterable<Item>[],
): AsyncGenerator<Item, void, undefined> {
  const readers = sources.map((source) => source[Symbol.asyncIterator]())
  const next = async (index: number) => ({ index, result: await readers[index]?.next() })
  const waiting = readers.map((_reader, index) => next(index))
  try {
    for (;;) {
      const { index, result } = await Promise.race(waiting)
      if (result === undefined || result.done === true) return
      yield result.value
      waiting[index] = next(index)
    }
  } finally {
    // Not awaited: a source that waits for its next item ends only when its own signal aborts.
    void Promise.allSettled([...waiting, ...readers.map((reader) => reader.return?.())])
  }
}

/** The constantly changing numbers of a node. */
type NodeMeasurement = Pick<
  NodeDetails,
  'id' | 'active_connections' | 'requests' | 'failures' | 'latency' | 'last_check' | 'history'
>

interface Measurements
  extends Pick<ClusterOverview, 'instance' | 'status' | 'message' | 'counts' | 'strategy' | 'queues'> {
  /** All nodes at first, then only changed ones. */
  readonly nodes: readonly NodeMeasurement[]
}

const everyMs = 1000

/** The numbers of all nodes, then the changes each second, until the signal aborts. */
async function* followMeasurements(cluster: Cluster, signal: AbortSignal): AsyncGenerator<Measurements> {
  let toldOfNodes = new Map<string, string>()
  let toldOfAll = ''
  while (!signal.aborted) {
    const all = measureNodes(cluster)
    const { instance, status, message, counts, strategy, queues } = cluster.overview()
    const whole = { instance, status, message, counts, strategy, queues }
    const nodes = all.filter((node) => toldOfNodes.get(node.id) !== keyOf(node))
    if (nodes.length > 0 || JSON.stringify(whole) !== toldOfAll) yield { ...whole, nodes }
    toldOfNodes = new Map(all.map((node) => [node.id, keyOf(node)]))
    toldOfAll = JSON.stringify(whole)
    await sleep(everyMs, undefined, { signal }).catch(() => undefined)
  }
}

function measureNodes(cluster: Cluster): NodeMeasurement[] {
  return cluster.tracked().flatMap(({ record, history }) => {
    if (record === undefined) return []
    const { id, active_connections, requests, failures, latency, last_check } = record
    return { id, active_connections, requests, failures, latency, last_check, history }
  })
}

/** Detects a changed measurement: each change affects at least one of these values. */
function keyOf({ active_connections, requests, failures, last_check, history }: NodeMeasurement): string {
  return [active_connections, requests, failures, last_check, history.ends_at].join(' ')
}
