import { Type } from 'typebox'
import { gatewayHopHeader } from '#cluster'
import { createCheck } from '#kernel/checks'
import type { CatalogueSource, ProbedProvider } from '#models'
import type { TrafficReading } from '../services/cluster-traffic.ts'
import type { Probe, ProbeResult, ServiceMetadata } from '../services/service.ts'
import { describeBytes } from './bytes.ts'
import { type JsonResponse, requestJson } from './run-probe.ts'

const count = Type.Integer({ minimum: 0 })
const trafficResponse = createCheck(
  Type.Object({
    instance: Type.String({ minLength: 1, maxLength: 100 }),
    recorded: Type.Boolean(),
    requests: count,
    prompt_tokens: count,
    completion_tokens: count,
  }),
)

/** Address and API key of the cluster service. */
export interface ClusterAddress {
  readonly url: string
  readonly apiKey: string | undefined
}

interface OllamaProbeOptions {
  readonly probeProvider: (service: 'ollama') => Promise<ProbedProvider>
  readonly catalogue: CatalogueSource
  readonly cluster: ClusterAddress | undefined
}

const version = createCheck(Type.Object({ version: Type.String({ maxLength: 100 }) }))
const loadedModels = createCheck(
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
 * Probes the cluster like the model gateway does, then sends a request through it to a node as a caller would: the cluster service itself
 * responds quickly however slow its nodes are.
 */
export function createOllamaProbe({ probeProvider, catalogue, cluster }: OllamaProbeOptions): Probe {
  return async (signal) => {
    const { state, problem, responseMs } = await probeProvider('ollama')
    const result = { state, problem, responseMs }
    if (cluster === undefined || (state !== 'online' && state !== 'degraded')) return result
    const headers = {
      // The probe's own requests must not count as traffic.
      [gatewayHopHeader]: 'status',
      ...(cluster.apiKey !== undefined && { authorization: `Bearer ${cluster.apiKey}` }),
    }
    const [metadata, traffic, nodeResponse] = await Promise.all([
      readMetadata(cluster.url, headers, signal),
      readTraffic(cluster.url, headers, signal),
      requestNode(catalogue, cluster.url, headers, signal),
    ])
    return { ...classifyNodeResponse(result, nodeResponse, signal), metadata, traffic }
  }
}

/** `no_model`: no request was sent. */
type NodeResponse = JsonResponse | 'no_model' | 'no_response'

/** Requests the description of a model: the cheapest request that reaches a node. */
async function requestNode(
  catalogue: CatalogueSource,
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<NodeResponse> {
  const models = (await catalogue.find()).filter(
    ({ provider, model }) => provider === 'ollama' && model.available && model.nodes.length > 0,
  )
  const model = (models.find((entry) => entry.model.loaded) ?? models[0])?.model.id
  if (model === undefined) return 'no_model'
  try {
    return await requestJson(`${url}/api/show`, { method: 'POST', headers, body: { model }, signal })
  } catch {
    return 'no_response'
  }
}

function classifyNodeResponse(
  result: Required<Pick<ProbeResult, 'state' | 'problem' | 'responseMs'>>,
  response: NodeResponse,
  signal: AbortSignal,
): Omit<ProbeResult, 'metadata'> {
  if (response === 'no_model') return result
  if (response === 'no_response') {
    const problem = signal.aborted
      ? 'The cluster responds, but no node responded to a request in time.'
      : 'The cluster responds, but a request to a node was aborted.'
    return { state: 'offline', problem, responseMs: null }
  }
  const { status, ms } = response
  if (status >= 500) {
    const problem = `The cluster responds, but a request to a node failed with status ${status}.`
    return { state: 'offline', problem, responseMs: ms }
  }
  return { ...result, responseMs: ms }
}

/** The counters of the cluster service; undefined when it has none, or a platform in the same process records them. */
async function readTraffic(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<TrafficReading | undefined> {
  const response = await requestJson(`${url}/api/cluster/traffic`, { headers, signal }).catch(() => undefined)
  if (response?.status !== 200 || !trafficResponse.Check(response.json) || response.json.recorded)
    return undefined
  const { instance, requests, prompt_tokens, completion_tokens } = response.json
  return { instance, requests, prompt_tokens, completion_tokens }
}

async function readMetadata(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Partial<ServiceMetadata>> {
  const [versionResponse, loaded] = await Promise.all(
    ['/api/version', '/api/ps'].map(async (path) => {
      // Optional metadata: a failure here does not fail the probe.
      const response = await requestJson(`${url}${path}`, { headers, signal }).catch(() => undefined)
      return response?.status === 200 ? response.json : undefined
    }),
  )
  return {
    version: version.Check(versionResponse) ? versionResponse.version : null,
    ...(loadedModels.Check(loaded)
      ? { models_loaded: loaded.models.length, memory_usage: memoryOf(loaded.models) }
      : {}),
  }
}

/** Memory used by loaded models on all nodes; null when a size is missing. */
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
