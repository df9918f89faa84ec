import type { Tone } from '../../parts/Status.tsx'
import type { NodeHistory, NodeRecord, StrategyName } from './cluster-query.ts'

const states: Readonly<Record<string, { tone: Tone; word: string }>> = {
  healthy: { tone: 'good', word: 'Healthy' },
  unhealthy: { tone: 'bad', word: 'Unhealthy' },
  draining: { tone: 'warn', word: 'Draining' },
  probing: { tone: 'busy', word: 'Probing' },
  unknown: { tone: 'idle', word: 'Not checked yet' },
}

/** The display name of a node state. */
export function describeNodeState(status: string, isChecked: boolean): { tone: Tone; word: string } {
  if (status === 'unknown' && isChecked) return { tone: 'busy', word: 'Checking' }
  return states[status] ?? { tone: 'idle', word: status }
}

/** The reason of a node's state; undefined without one. */
export function describeReason({
  status,
  active_connections: active,
  last_error,
}: Pick<NodeRecord, 'status' | 'active_connections' | 'last_error'>): string | undefined {
  if (status !== 'draining') return last_error ?? undefined
  return [describeRest(active), ...(last_error === null ? [] : [last_error])].join(', ')
}

function describeRest(active: number): string {
  if (active === 0) return '0 requests left'
  return active === 1 ? '1 request left' : `${active.toLocaleString()} requests left`
}

export const sources: Readonly<Record<NodeRecord['source'], string>> = {
  config: 'Listed in CLUSTER_NODES',
  runtime: 'Added by an operator',
  kubernetes: 'Discovered in Kubernetes',
  discovery: 'Discovered on this machine',
}

export const runtimes: Readonly<Record<NonNullable<NodeRecord['runtime']>, string>> = {
  ollama: 'Ollama',
  vllm: 'vLLM',
  'llama.cpp': 'llama.cpp',
  sglang: 'SGLang',
  lmstudio: 'LM Studio',
  tgi: 'TGI',
  openai: 'OpenAI-compatible',
}

/** The runtime of a node with its version. */
export function describeRuntime({ runtime, version }: Pick<NodeRecord, 'runtime' | 'version'>): string {
  return (
    [runtime === null ? null : runtimes[runtime], version].filter((word) => word !== null).join(' ') || '–'
  )
}

export const strategies: Readonly<Record<StrategyName, { title: string; about: string }>> = {
  'round-robin': { title: 'Round robin', about: 'Every node in turn' },
  weighted: { title: 'Weighted', about: 'In turn, in proportion to the weights' },
  'least-connections': {
    title: 'Least connections',
    about: 'The node with the fewest active requests for its weight',
  },
  'least-latency': {
    title: 'Lowest latency',
    about: 'The node with the shortest expected time to first byte',
  },
  'prefix-affinity': {
    title: 'Prefix affinity',
    about: 'Prompts with the same beginning on the same node, by weight, unless it is too busy',
  },
}

/** Formats milliseconds. */
export function describeMilliseconds(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(ms >= 10_000 ? 0 : 1)} s`
  return `${ms >= 10 ? Math.round(ms) : ms} ms`
}

/** Values older than this many slices are outdated. */
const freshSlices = 12

/** The latest measured value; undefined when it is outdated. */
export function latestOf(values: ReadonlyArray<number | null>): number | undefined {
  return values.slice(-freshSlices).findLast((value) => value !== null) ?? undefined
}

/** Describes the response times of the last ten minutes. */
export function describeLine(values: ReadonlyArray<number | null>): string {
  const measured = values.filter((value) => value !== null)
  if (measured.length === 0) return 'not measured'
  const latest = latestOf(values)
  const now = latest === undefined ? [] : [`latest ${describeMilliseconds(latest)}`]
  return [...now, `max ${describeMilliseconds(Math.max(...measured))}`].join(', ')
}

/** The totals of a history. */
export function sumUp({ requests, failures }: Pick<NodeHistory, 'requests' | 'failures'>) {
  return { requests: sumOf(requests), failures: sumOf(failures) }
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
