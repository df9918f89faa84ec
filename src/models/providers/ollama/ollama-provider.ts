import { performance } from 'node:perf_hooks'
import {
  createModelClient,
  gatewayHopHeader,
  type ModelClient,
  type ModelRoute,
  NoRouteLeft,
  type RoutedAnswer,
  type RoutedModel,
} from '#cluster'
import type { SettingsOf } from '#kernel/config'
import { namespaceOf } from '../../catalogue/namespace-of.ts'
import type { ClusterModel, ClusterOverview, ClusterView } from '../../cluster/cluster-overview.ts'
import type { EmbedCall, ModelCall, ModelProvider, ProvidedModel, ProviderProbe } from '../provider.ts'
import type { TimeoutLimits } from '../response-timeout.ts'
import { explainStatus, noRouteFailure } from './explain-route.ts'
import { createModelDetails, type ModelDetails } from './model-details.ts'
import { readBody } from './read-body.ts'
import { readEmbeddings, streamParts } from './read-response.ts'
import { runtimeEmbedOf, runtimeRequestOf } from './runtime-request.ts'
import type { ollamaSettings } from './settings.ts'

export interface OllamaProviderOptions extends RouteSources {
  /** What is known of the cluster's models. */
  readonly view: ClusterView
  readonly limits: TimeoutLimits
  /** How long what another route says of its models holds. */
  readonly freshMs?: number
}

/** The nodes of the cluster, by the first way to them that is there. */
export interface OllamaProvider extends ModelProvider, AsyncDisposable {}

const maxErrorBytes = 64 * 1024
const maxDescriptionBytes = 4 * 1024 * 1024
const describeTimeoutMs = 5000

export function createOllamaProvider(options: OllamaProviderOptions): OllamaProvider {
  const { view, limits, freshMs = 2000 } = options
  const client = createModelClient({ routes: routesOf(options), firstByteMs: limits.firstPartMs })
  const details = createModelDetails({ describe: (name) => describeModel(client, name) })
  const behindCluster = cacheFor(freshMs, () => client.modelsBehindCluster())

  return {
    name: 'ollama',
    async list() {
      const facts = await view.read()
      const healthy = healthyNodes(facts)
      const ofCluster = facts.models.map((model) => describeClusterModel(model, healthy))
      // Only then are requests answered by another way.
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
    probe: async (signal) => classifyRoutes(await client.probe(signal)),
    async *stream(call, signal) {
      const { operation, body } = runtimeRequestOf(call)
      const answer = await sendToModel(client, operation, body, call, signal)
      yield* streamParts(answer, operation, limits, signal)
    },
    async embed(call, signal) {
      const answer = await sendToModel(client, 'embed', runtimeEmbedOf(call), call, signal)
      return await readEmbeddings(answer, call.inputs.length, limits, signal)
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  }
}

async function sendToModel(
  client: ModelClient,
  operation: 'generate' | 'chat' | 'embed',
  body: object,
  { askedByGateway = false, onBehalfOf, session }: ModelCall | EmbedCall,
  signal: AbortSignal,
): Promise<RoutedAnswer> {
  try {
    const answer = await client.send(operation, body, {
      signal,
      passOver: askedByGateway ? ['gateway'] : [],
      caller: onBehalfOf,
      session,
    })
    if (answer.status === 200) return answer
    throw explainStatus(answer, await readBody(answer, maxErrorBytes).catch(() => ''))
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw error instanceof NoRouteLeft ? noRouteFailure(error) : error
  }
}

async function describeModel(client: ModelClient, model: string): Promise<unknown> {
  const answer = await client.send('show', { model }, { signal: AbortSignal.timeout(describeTimeoutMs) })
  const text = await readBody(answer, maxDescriptionBytes)
  if (answer.status !== 200) throw new Error(`status ${answer.status}`)
  return JSON.parse(text)
}

/** Asks once for all who want to know within a while. */
function cacheFor<Value>(ms: number, ask: () => Promise<Value>): () => Promise<Value> {
  let last: { readonly value: Promise<Value>; askedAtMs: number } | undefined
  return () => {
    if (last === undefined || performance.now() - last.askedAtMs >= ms) {
      const question = { value: ask(), askedAtMs: Number.POSITIVE_INFINITY }
      const answered = () => {
        question.askedAtMs = performance.now()
      }
      question.value.then(answered, answered)
      last = question
    }
    return last.value
  }
}

interface RouteSources {
  /** Of the service in this process, or where it is found. */
  readonly cluster: { readonly url: string; readonly apiKey: string | undefined }
  readonly settings: SettingsOf<typeof ollamaSettings>
  /** Tells our own requests from those of other gateways. */
  readonly gatewayId: string
}

/** The ways to a model, in their order: the cluster, another gateway if there is one, a node. */
function routesOf({ cluster, settings, gatewayId }: RouteSources): readonly ModelRoute[] {
  const { gatewayUrl, gatewayApiKey, nodeUrl } = settings
  // To another gateway it prevents a circle; to the cluster it says that the request is counted here.
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
 * How the models of the cluster are, by how the ways to them are.
 *
 * | the cluster           | another way   | is             |
 * |-----------------------|---------------|----------------|
 * | answers               |               | as it says     |
 * | does not              | is there      | degraded       |
 * | has not a single node | is not        | unconfigured   |
 * | does not              | is not        | offline        |
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
  const reason = problem ?? 'it cannot answer'
  return responseMs === null ? `The cluster at ${url} cannot be asked: ${reason}.` : reason
}

/** Ids of the nodes that can be asked now. */
function healthyNodes({ nodes }: ClusterOverview): ReadonlySet<string> {
  return new Set(nodes.filter(({ status }) => status === 'healthy').map(({ id }) => id))
}

/** A model as the cluster tells of it. */
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

/** A model that is reached without the cluster: none of the nodes it knows has it. */
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

/** All of them, each once, by id; the later win. */
function mergeModels(...lists: readonly (readonly ProvidedModel[])[]): readonly ProvidedModel[] {
  const byId = new Map(lists.flat().map((model) => [model.id, model]))
  return [...byId.values()].sort((left, right) => (left.id < right.id ? -1 : 1))
}

/** What was said already holds; the rest is filled in. */
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
