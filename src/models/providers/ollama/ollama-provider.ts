import { performance } from 'node:perf_hooks'
import {
  createModelClient,
  type ModelClient,
  NoRouteLeft,
  type RoutedAnswer,
  type RoutedModel,
} from '#cluster'
import type { ClusterView } from '../../cluster/cluster-facts.ts'
import type { PatienceLimits } from '../patience.ts'
import type { EmbedCall, ModelCall, ModelProvider } from '../provider.ts'
import { explainNoRoute, explainStatus } from './explain-route.ts'
import { judgeRoutes } from './judge-routes.ts'
import {
  addDetails,
  describeClusterModel,
  describeRoutedModel,
  healthyNodes,
  mergeModels,
} from './list-models.ts'
import { createModelDetails } from './model-details.ts'
import { readEmbeddings, streamParts } from './read-answer.ts'
import { readBody } from './read-body.ts'
import { type RouteSources, routesOf } from './routes-of.ts'
import { runtimeEmbedOf, runtimeRequestOf } from './runtime-request.ts'

export interface OllamaProviderOptions extends RouteSources {
  /** What is known of the cluster's models. */
  readonly view: ClusterView
  readonly limits: PatienceLimits
  /** How long what another route says of its models holds. */
  readonly freshMs?: number
}

/** The nodes of the cluster, by the first way to them that is there. */
export interface OllamaProvider extends ModelProvider, AsyncDisposable {}

const largestErrorBytes = 64 * 1024
const largestDescriptionBytes = 4 * 1024 * 1024
const describeTimeoutMs = 5000

export function createOllamaProvider(options: OllamaProviderOptions): OllamaProvider {
  const { view, limits, freshMs = 2000 } = options
  const client = createModelClient({ routes: routesOf(options), firstByteMs: limits.firstPartMs })
  const details = createModelDetails({ describe: (name) => describeModel(client, name) })
  const behindCluster = rememberFor(freshMs, () => client.modelsBehindCluster())

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
    probe: async (signal) => judgeRoutes(await client.probe(signal)),
    async *stream(call, signal) {
      const { operation, body } = runtimeRequestOf(call)
      const answer = await askModel(client, operation, body, call, signal)
      yield* streamParts(answer, operation, limits, signal)
    },
    async embed(call, signal) {
      const answer = await askModel(client, 'embed', runtimeEmbedOf(call), call, signal)
      return await readEmbeddings(answer, call.inputs.length, limits, signal)
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  }
}

async function askModel(
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
    throw explainStatus(answer, await readBody(answer, largestErrorBytes).catch(() => ''))
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw error instanceof NoRouteLeft ? explainNoRoute(error) : error
  }
}

async function describeModel(client: ModelClient, model: string): Promise<unknown> {
  const answer = await client.send('show', { model }, { signal: AbortSignal.timeout(describeTimeoutMs) })
  const text = await readBody(answer, largestDescriptionBytes)
  if (answer.status !== 200) throw new Error(`status ${answer.status}`)
  return JSON.parse(text)
}

/** Asks once for all who want to know within a while. */
function rememberFor<Value>(ms: number, ask: () => Promise<Value>): () => Promise<Value> {
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
