import { Status, type Tone } from '../../parts/Status.tsx'
import { type SummaryCell, SummaryStrip } from '../../parts/SummaryStrip.tsx'
import type { ClusterView } from './cluster-bodies.ts'
import { sumUp } from './node-words.ts'
import { StrategyChoice } from './StrategyChoice.tsx'

const states: Readonly<Record<ClusterView['status'], { tone: Tone; word: string }>> = {
  healthy: { tone: 'good', word: 'Healthy' },
  degraded: { tone: 'warn', word: 'Degraded' },
  critical: { tone: 'bad', word: 'Critical' },
}

/** The cluster in one line. */
export function ClusterSummary({
  cluster,
  mayOperate,
}: {
  cluster: ClusterView | undefined
  mayOperate: boolean
}) {
  return <SummaryStrip cells={cellsOf(cluster, mayOperate)} isLoading={cluster === undefined} />
}

function cellsOf(cluster: ClusterView | undefined, mayOperate: boolean): readonly SummaryCell[] {
  if (cluster === undefined) {
    return ['Status', 'Under way', 'Last ten minutes', 'Strategy'].map((name) => ({ name }))
  }
  return [
    { name: 'Status', value: <Status {...states[cluster.status]} />, note: cluster.message },
    { name: 'Under way', ...describeLoad(cluster) },
    { name: 'Last ten minutes', ...describePast(cluster) },
    {
      name: 'Strategy',
      value: <StrategyChoice strategy={cluster.strategy} mayOperate={mayOperate} />,
      note: null,
    },
  ]
}

function describeLoad({ nodes, queues }: ClusterView): Omit<SummaryCell, 'name'> {
  const active = nodes.reduce((sum, node) => sum + node.active_connections, 0)
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0)
  const models = queues.map(({ model }) => model).join(', ')
  return {
    value: active === 1 ? '1 request' : `${active.toLocaleString()} requests`,
    note: waiting === 0 ? 'None waiting' : <Status tone="warn" word={`${waiting} waiting for ${models}`} />,
  }
}

function describePast({ nodes }: ClusterView): Omit<SummaryCell, 'name'> {
  const known = nodes.flatMap(({ history }) => history ?? [])
  if (known.length < nodes.length) return {}
  const sums = known.map(sumUp)
  const requests = sums.reduce((sum, past) => sum + past.requests, 0)
  const failures = sums.reduce((sum, past) => sum + past.failures, 0)
  return {
    value: requests === 1 ? '1 request' : `${requests.toLocaleString()} requests`,
    note:
      failures === 0 ? 'None failed' : <Status tone="warn" word={`${failures.toLocaleString()} failed`} />,
  }
}
