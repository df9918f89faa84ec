import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { gatewayHopHeader } from '#cluster'
import type { CatalogueSource, ProbedProvider } from '#models'
import type { TrafficReading } from '../services/cluster-traffic.ts'
import type { Probe, ProbeResult, ServiceMetadata } from '../services/service.ts'
import { describeBytes } from './bytes.ts'
import { type Answer, ask } from './run-probe.ts'

const count = Type.Integer({ minimum: 0 })
const trafficAnswer = Compile(
  Type.Object({
    instance: Type.String({ minLength: 1, maxLength: 100 }),
    recorded: Type.Boolean(),
    requests: count,
    prompt_tokens: count,
    completion_tokens: count,
  }),
)

/** Where the cluster service is, and what it wants to be shown. */
export interface ClusterAddress {
  readonly url: string
  readonly apiKey: string | undefined
}

interface OllamaProbeOptions {
  readonly lookAt: (service: 'ollama') => Promise<ProbedProvider>
  readonly catalogue: CatalogueSource
  readonly cluster: ClusterAddress | undefined
}

const version = Compile(Type.Object({ version: Type.String({ maxLength: 100 }) }))
const loadedModels = Compile(
  Type.Object({
    models: Type.Array(
      Type.Object({
        size_vram: Type.Optional(Type.Number()),
        size: Type.Optional(Type.Number()),
        nodes: Type.Optional(Type.Array(Type.String())),
      }),
    ),
  }),
)

/**
 * Looks at the cluster as the models do, and then sends a request through it to a node, as a caller would: the cluster alone answers
 * quickly however slow its nodes are.
 */
export function createOllamaProbe({ lookAt, catalogue, cluster }: OllamaProbeOptions): Probe {
  return async (signal) => {
    const { state, problem, responseMs } = await lookAt('ollama')
    const seen = { state, problem, responseMs }
    if (cluster === undefined || (state !== 'online' && state !== 'degraded')) return seen
    const headers = {
      // The probe's own requests are no traffic.
      [gatewayHopHeader]: 'status',
      ...(cluster.apiKey !== undefined && { authorization: `Bearer ${cluster.apiKey}` }),
    }
    const [metadata, traffic, answered] = await Promise.all([
      readMetadata(cluster.url, headers, signal),
      readTraffic(cluster.url, headers, signal),
      askNode(catalogue, cluster.url, headers, signal),
    ])
    return { ...judgeNode(seen, answered, signal), metadata, traffic }
  }
}

/** Nothing to ask for, or what became of it. */
type NodeAnswer = Answer | 'no_model' | 'no_answer'

/** Asks a node to describe one of its models: the cheapest request that goes the whole way. */
async function askNode(
  catalogue: CatalogueSource,
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<NodeAnswer> {
  const models = (await catalogue.find()).filter(
    ({ provider, model }) => provider === 'ollama' && model.available && model.nodes.length > 0,
  )
  const model = (models.find((entry) => entry.model.loaded) ?? models[0])?.model.id
  if (model === undefined) return 'no_model'
  try {
    return await ask(`${url}/api/show`, { method: 'POST', headers, body: { model }, signal })
  } catch {
    return 'no_answer'
  }
}

function judgeNode(
  seen: Required<Pick<ProbeResult, 'state' | 'problem' | 'responseMs'>>,
  answered: NodeAnswer,
  signal: AbortSignal,
): Omit<ProbeResult, 'metadata'> {
  if (answered === 'no_model') return seen
  if (answered === 'no_answer') {
    const problem = signal.aborted
      ? 'The cluster is there, but no node answered a request in time.'
      : 'The cluster is there, but broke off a request to a node.'
    return { state: 'offline', problem, responseMs: null }
  }
  const { status, ms } = answered
  if (status >= 500) {
    const problem = `The cluster is there, but answered a request to a node with status ${status}.`
    return { state: 'offline', problem, responseMs: ms }
  }
  return { ...seen, responseMs: ms }
}

/** What the service has counted; undefined when it does not tell, or a platform in its process records it already. */
async function readTraffic(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<TrafficReading | undefined> {
  const answer = await ask(`${url}/api/cluster/traffic`, { headers, signal }).catch(() => undefined)
  if (answer?.status !== 200 || !trafficAnswer.Check(answer.json) || answer.json.recorded) return undefined
  const { instance, requests, prompt_tokens, completion_tokens } = answer.json
  return { instance, requests, prompt_tokens, completion_tokens }
}

async function readMetadata(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Partial<ServiceMetadata>> {
  const [told, loaded] = await Promise.all(
    ['/api/version', '/api/ps'].map(async (path) => {
      // For show only: whatever comes instead fails nothing.
      const answer = await ask(`${url}${path}`, { headers, signal }).catch(() => undefined)
      return answer?.status === 200 ? answer.json : undefined
    }),
  )
  return {
    version: version.Check(told) ? told.version : null,
    ...(loadedModels.Check(loaded)
      ? { models_loaded: loaded.models.length, memory_usage: memoryOf(loaded.models) }
      : {}),
  }
}

/** What all nodes together hold in memory; null when one does not say. */
function memoryOf(
  models: readonly {
    readonly size_vram?: number
    readonly size?: number
    readonly nodes?: readonly string[]
  }[],
): string | null {
  let bytes = 0
  for (const { size, size_vram, nodes = [''] } of models) {
    const each = size ?? size_vram
    if (each === undefined) return null
    bytes += each * nodes.length
  }
  return describeBytes(bytes)
}
