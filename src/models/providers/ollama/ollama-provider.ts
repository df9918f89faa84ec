import { performance } from 'node:perf_hooks'
import {
  createModelClient,
  gatewayHopHeader,
  type ModelClient,
  type ModelRoute,
  NoRouteLeft,
  type RoutedModel,
  type RoutedResponse,
} from '#cluster'
import type { SettingsOf } from '#kernel/config'
import type { ClusterModel, ClusterOverview, ClusterView } from '../../cluster/cluster-overview.ts'
import { isThisMachine } from '../local-address.ts'
import { type EmbedProtocol, type Protocol, protocolReaders } from '../protocols.ts'
import type {
  EmbedCall,
  ModelCall,
  ModelProvider,
  ProvidedModel,
  ProviderProbe,
  RuntimeDirectory,
} from '../provider.ts'
import type { TimeoutLimits } from '../response-timeout.ts'
import { explainStatus, noRouteFailure } from './explain-route.ts'
import { forcedToolOf, toToolCall } from './forced-tool.ts'
import { createModelDetails, type ModelDetails } from './model-details.ts'
import { passResponse } from './pass-lines.ts'
import { prefixSessionOf } from './prefix-session.ts'
import { readBody } from './read-body.ts'
import { passEmbeddings, readEmbeddings, streamParts } from './read-response.ts'
import { forwardedBodyOf, runtimeEmbedOf, runtimeRequestOf } from './runtime-request.ts'
import type { ollamaSettings } from './settings.ts'

export interface OllamaProviderOptions extends RouteSources {
  /** The overview of the cluster. */
  readonly view: ClusterView
  readonly limits: TimeoutLimits
  /** How long the model list of another route is cached. */
  readonly freshMs?: number
  /** The header with the session id for the cluster, in lower case. */
  readonly sessionHeader?: string
}

/** The models of the cluster, reached by the first available route. */
export interface OllamaProvider extends ModelProvider, AsyncDisposable {
  readonly runtime: RuntimeDirectory
}

/** The operation of the runtime for each of its protocols. */
const operations: Readonly<Partial<Record<Protocol | EmbedProtocol, 'generate' | 'chat' | 'embed'>>> = {
  'ollama.chat': 'chat',
  'ollama.generate': 'generate',
  'ollama.embed': 'embed',
}

const maxErrorBytes = 64 * 1024
const maxDescriptionBytes = 4 * 1024 * 1024
const describeTimeoutMs = 5000

export function createOllamaProvider(options: OllamaProviderOptions): OllamaProvider {
  const { view, limits, settings, freshMs = 2000, sessionHeader = 'x-session-id' } = options
  const client = createModelClient({ routes: routesOf(options), firstByteMs: limits.firstPartMs })
  const details = createModelDetails({ describe: (name) => describeModel(client, name) })
  const behindCluster = cacheFor(freshMs, () => client.modelsBehindCluster())

  /** The session of a call, else one for the start of its prompt. */
  function withSession(call: ModelCall): ModelCall {
    if (call.session !== undefined || !settings.prefixAffinity) return call
    const value = prefixSessionOf(call)
    return value === undefined ? call : { ...call, session: { header: sessionHeader, value } }
  }

  return {
    name: 'ollama',
    url: options.cluster.url,
    async list() {
      const overview = await view.read()
      const healthy = healthyNodes(overview)
      const ofCluster = overview.models.map((model) => describeClusterModel(model, healthy))
      // Other routes are used only while the cluster has no healthy node.
      const others: readonly RoutedModel[] = healthy.size > 0 ? [] : ((await behindCluster()) ?? [])
      const models = mergeModels(ofCluster, others.map(describeRoutedModel))
      const known = await details.of(
        models.map(({ id, created, size, available }) => ({
          name: id,
          version: `${created} ${size}`,
          available,
        })),
      )
      return models.map((model) => addDetails(model, known.get(model.id)))
    },
    isConfigured: () => isConfigured(options, behindCluster),
    probe: async (signal) => classifyRoutes(await client.probe(signal)),
    speaks: (protocol) => operations[protocol] !== undefined,
    async *stream(given, signal) {
      const call = withSession(given)
      const { original } = call
      const native = original && operations[original.protocol]
      if (original !== undefined && native !== undefined) {
        const { protocol, stream } = original
        const response = await sendToModel(client, native, forwardedBodyOf(call, original), call, signal)
        yield* passResponse(response, { reader: protocolReaders[protocol], stream, limits, signal })
        return
      }
      const { operation, body } = runtimeRequestOf(call)
      const response = await sendToModel(client, operation, body, call, signal)
      const parts = streamParts(response, operation, limits, signal)
      const forced = operation === 'chat' ? forcedToolOf(call) : undefined
      yield* forced === undefined ? parts : toToolCall(parts, forced)
    },
    async embed(call, signal) {
      const { model, original } = call
      if (original?.protocol === 'ollama.embed') {
        const response = await sendToModel(client, 'embed', { ...original.body, model }, call, signal)
        return await passEmbeddings(response, limits, signal)
      }
      const response = await sendToModel(client, 'embed', runtimeEmbedOf(call), call, signal)
      return await readEmbeddings(response, call.inputs.length, limits, signal)
    },
    runtime: {
      list: (kind) => client.list(kind),
      async show(request, signal) {
        const response = await sendToModel(client, 'show', request, {}, signal)
        return Buffer.from(await readBody(response, maxDescriptionBytes))
      },
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  }
}

async function sendToModel(
  client: ModelClient,
  operation: 'generate' | 'chat' | 'embed' | 'show',
  body: object,
  { askedByGateway = false, onBehalfOf, session, trace }: Partial<ModelCall | EmbedCall>,
  signal: AbortSignal,
): Promise<RoutedResponse> {
  try {
    const response = await client.send(operation, body, {
      signal,
      passOver: askedByGateway ? ['gateway'] : [],
      caller: onBehalfOf,
      session,
      trace,
    })
    if (response.status === 200) return response
    throw explainStatus(response, await readBody(response, maxErrorBytes).catch(() => ''))
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw error instanceof NoRouteLeft ? noRouteFailure(error) : error
  }
}

async function describeModel(client: ModelClient, model: string): Promise<unknown> {
  const response = await client.send('show', { model }, { signal: AbortSignal.timeout(describeTimeoutMs) })
  const text = await readBody(response, maxDescriptionBytes)
  if (response.status !== 200) throw new Error(`status ${response.status}`)
  return JSON.parse(text)
}

/** Caches the result of a request; concurrent callers share it. */
function cacheFor<Value>(ms: number, load: () => Promise<Value>): () => Promise<Value> {
  let last: { readonly value: Promise<Value>; loadedAtMs: number } | undefined
  return () => {
    if (last === undefined || performance.now() - last.loadedAtMs >= ms) {
      const request = { value: load(), loadedAtMs: Number.POSITIVE_INFINITY }
      const onSettled = () => {
        request.loadedAtMs = performance.now()
      }
      request.value.then(onSettled, onSettled)
      last = request
    }
    return last.value
  }
}

interface RouteSources {
  /** The cluster service, in this process or elsewhere. */
  readonly cluster: { readonly url: string; readonly apiKey: string | undefined }
  readonly settings: SettingsOf<typeof ollamaSettings>
  /** The id of this gateway, by which it recognises its own requests. */
  readonly gatewayId: string
}

/** The routes in their order: the cluster, another gateway if configured, a node. */
function routesOf({ cluster, settings, gatewayId }: RouteSources): readonly ModelRoute[] {
  const { gatewayUrl, gatewayApiKey, nodeUrl } = settings
  // Another gateway detects loops by this header; the cluster does not count such requests, because this gateway does.
  const headers = { [gatewayHopHeader]: gatewayId }
  const gateway: ModelRoute[] =
    gatewayUrl === undefined
      ? []
      : [
          {
            kind: 'gateway',
            url: gatewayUrl,
            apiKey: gatewayApiKey,
            headers,
          },
        ]
  return [{ kind: 'cluster', ...cluster, headers }, ...gateway, { kind: 'node', url: nodeUrl }]
}

type RouteProbe = Awaited<ReturnType<ModelClient['probe']>>[number]

/**
 * The state of the provider, derived from its routes.
 *
 * | cluster               | other routes     | state                |
 * |-----------------------|------------------|----------------------|
 * | responds              |                  | that of the cluster  |
 * | does not respond      | one is online    | degraded             |
 * | has no nodes          | none             | unconfigured         |
 * | does not respond      | none             | offline              |
 */
function classifyRoutes(probes: readonly RouteProbe[]): ProviderProbe {
  const [cluster, ...others] = probes
  if (cluster?.state === 'online' || cluster?.state === 'degraded') {
    return { state: cluster.state, problem: cluster.problem, responseMs: cluster.responseMs }
  }
  const why = cluster === undefined ? 'There is no cluster.' : explain(cluster)
  const other = others.find(({ state }) => state === 'online')
  if (other !== undefined) {
    const problem = `${why} Requests go to the ${other.kind} at ${other.url}.`
    return { state: 'degraded', problem, responseMs: other.responseMs }
  }
  return {
    state: cluster?.state === 'empty' ? 'unconfigured' : 'offline',
    problem: why,
    responseMs: cluster?.responseMs ?? null,
  }
}

function explain({ url, problem, responseMs }: RouteProbe): string {
  const reason = problem ?? 'it does not respond'
  return responseMs === null ? `The cluster at ${url} is not available: ${reason}.` : reason
}

/**
 * Whether an operator has set up nodes, reachable or not. The default address of a node, on this machine, is no configuration: the cluster
 * watches this machine, and registers a node there once it has responded.
 */
async function isConfigured(
  { view, cluster, settings: { gatewayUrl, nodeUrl } }: OllamaProviderOptions,
  behindCluster: () => Promise<readonly RoutedModel[] | undefined>,
): Promise<boolean> {
  if (gatewayUrl !== undefined || !isThisMachine(nodeUrl)) return true
  const { nodes, models } = await view.read()
  if (nodes.length > 0 || models.length > 0) return true
  if (!view.hasResponded() && !isThisMachine(cluster.url)) return true
  return ((await behindCluster()) ?? []).length > 0
}

/** Ids of the healthy nodes. */
function healthyNodes({ nodes }: ClusterOverview): ReadonlySet<string> {
  return new Set(nodes.filter(({ status }) => status === 'healthy').map(({ id }) => id))
}

/** A model from the overview of the cluster. */
function describeClusterModel(model: ClusterModel, healthy: ReadonlySet<string>): ProvidedModel {
  const nodes = model.nodes.filter((node) => healthy.has(node)).sort()
  return {
    id: model.name,
    ownedBy: namespaceOf(model.name),
    created: epochSeconds(model.modified_at == null ? Number.NaN : Date.parse(model.modified_at)),
    available: nodes.length > 0,
    loaded: model.loaded_on.some((node) => healthy.has(node)),
    nodes,
    size: model.size,
    capabilities: model.capabilities ?? [],
    contextLength: null,
    maxOutputTokens: null,
  }
}

/** A model of another route, which no known node has. */
function describeRoutedModel(model: RoutedModel): ProvidedModel {
  return {
    id: model.name,
    ownedBy: namespaceOf(model.name),
    created: epochSeconds(model.modifiedAt?.getTime() ?? Number.NaN),
    available: true,
    loaded: model.loaded,
    nodes: [],
    size: model.size,
    capabilities: model.capabilities ?? [],
    contextLength: model.contextLength,
    maxOutputTokens: null,
  }
}

/** Merges lists by id; later lists take precedence. */
function mergeModels(...lists: readonly (readonly ProvidedModel[])[]): readonly ProvidedModel[] {
  const byId = new Map(lists.flat().map((model) => [model.id, model]))
  return [...byId.values()].sort((left, right) => (left.id < right.id ? -1 : 1))
}

/** Fills in details that the list did not contain. */
function addDetails(model: ProvidedModel, details: ModelDetails | undefined): ProvidedModel {
  if (details === undefined) return model
  return {
    ...model,
    capabilities: model.capabilities.length > 0 ? model.capabilities : (details.capabilities ?? []),
    contextLength: model.contextLength ?? details.contextLength,
  }
}

function epochSeconds(milliseconds: number): number | null {
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000)
}

/** The namespace of the runtime's public library, whose model names have none. */
const publicLibrary = 'library'

/** The `namespace` in `host/namespace/model:tag`, of which only the model is required. */
export function namespaceOf(name: string): string {
  return name.split('/').at(-2) || publicLibrary
}
