import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '../cluster.ts'
import type { ClusterOverview } from '../overview.ts'
import type { NodeDetails } from './control.ts'

/** What of a node changes all the while. */
type NodeMeasurement = Pick<
  NodeDetails,
  'id' | 'active_connections' | 'requests' | 'failures' | 'latency' | 'last_check' | 'history'
>

export interface Measurements
  extends Pick<ClusterOverview, 'status' | 'message' | 'counts' | 'strategy' | 'queues'> {
  /** All of them at first, then those that are different from what was told. */
  readonly nodes: readonly NodeMeasurement[]
}

const everyMs = 1000

/** The numbers of all nodes, then each second what is new of them, until the signal aborts. */
export async function* followMeasurements(
  cluster: Cluster,
  signal: AbortSignal,
): AsyncGenerator<Measurements> {
  let toldOfNodes = new Map<string, string>()
  let toldOfAll = ''
  while (!signal.aborted) {
    const all = measureNodes(cluster)
    const { status, message, counts, strategy, queues } = cluster.overview()
    const whole = { status, message, counts, strategy, queues }
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

/** Tells two measurements apart: whatever else changes, one of these does. */
function keyOf({ active_connections, requests, failures, last_check, history }: NodeMeasurement): string {
  return [active_connections, requests, failures, last_check, history.ends_at].join(' ')
}
